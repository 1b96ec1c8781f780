// The answers to "why is this not moving?" in German; in English the API's own text is shown.

import type { OwnCode } from '../../src/operator/why/reasons.ts'

/** Why, and what to do. */
export const germanReasons: Record<OwnCode, readonly [text: string, todo: string]> = {
  database_hangs: ['Die Datenbank nimmt nichts an', 'Beenden, was sie sperrt, oder Platz auf ihrer Platte schaffen.'],
  campaign_draft: ['Sie ist ein Entwurf', 'Senden oder planen.'],
  approval_missing: ['Erst muss ein Mitglied sie freigeben', 'Freigeben, oder angemeldet senden.'],
  campaign_approved: ['Sie ist freigegeben, und niemand hat sie gesendet', 'Senden.'],
  sender_refused: [
    'Ihr Absender darf nicht senden',
    'Die Einträge der Domain veröffentlichen und prüfen, oder den Absender ändern.',
  ],
  not_eligible: ['Der Empfänger darf sie nicht bekommen, also endet sie ungesendet', 'Nichts: So soll es sein.'],
  campaign_scheduled: ['Sie beginnt zu ihrer Zeit', 'Nichts, oder die Planung aufheben und jetzt senden.'],
  capped: [
    'So viele, wie in 24 Stunden hinausdürfen, sind gesendet',
    'Nichts: Der Rest folgt. Der Betreiber kann die Grenze heben.',
  ],
  put_aside: [
    'Empfänger warten auf ihre Ortszeit oder auf das Ende ihrer Ruhezeit',
    'Nichts: So soll es sein. Die Ruhezeit steht in den Einstellungen.',
  ],
  awaits_winner: [
    'Empfänger warten auf den Gewinner des Tests',
    'Nichts, wenn Klicks entscheiden; sonst wird er von Hand gewählt.',
  ],
  many_delayed: [
    'Zu viele Empfänger warten auf einen neuen Versuch',
    'Nachsehen, warum ihre Server ablehnen: die Verzögerten.',
  ],
  receiver_slows: [
    'Der Empfänger will es langsamer',
    'Nichts: Es wird von selbst wieder versucht, erst mit einer Mail.',
  ],
  others_first: [
    'Der Mailserver ist langsam, und andere gehen vor',
    'Nichts; oder seinem Relay mehr Verbindungen erlauben (maxConnections in der URL).',
  ],
  endpoint_paused: [
    'Der Endpunkt versagt und bekommt nur ab und zu eine Anfrage',
    'Seine letzten Versuche ansehen und ihn reparieren.',
  ],
  endpoint_slow: [
    'Der Endpunkt antwortet langsam und bekommt eine Anfrage nach der anderen',
    'Ihn binnen einer Sekunde antworten und danach arbeiten lassen.',
  ],
  endpoint_full: [
    'Andere warten vor ihr auf den Endpunkt, der nur so viele in der Sekunde bekommt',
    'Ihm mehr in der Sekunde erlauben, ihm weniger Ereignisse schicken, oder diese jetzt zustellen.',
  ],
  tried_again: ['Der letzte Versuch schlug fehl; es folgt ein neuer', 'Seine Antwort lesen.'],
  scheduled: ['Ihre Zeit ist noch nicht da', 'Nichts.'],
  due: [
    'Sie ist fällig und wartet auf einen Platz',
    'Nichts, solange es nicht so bleibt: Dann nachsehen, was läuft, unter Aufträge.',
  ],
  held: ['Sie steht mit ihrer pausierten Kampagne', 'Die Kampagne fortsetzen oder abbrechen.'],
  running: ['Daran wird gearbeitet', 'Nichts.'],
  preparing: ['Ihre Empfänger werden vorbereitet', 'Nichts.'],
  no_job: ['Hier wartet nichts', 'Nichts.'],
  ended: ['Es ist zu Ende', 'Nichts.'],
}
