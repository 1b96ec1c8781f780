// The attention list in German; in English the API's own text is shown.

import type { FaultCause } from '../../src/mail/fault-cause.ts'
import type { Code } from '../../src/operator/attention/rules.ts'
import { language } from '../words.ts'

type AttentionText = readonly [text: string, todo: string]

/** What is wrong, and what to do. */
export const german: Record<Code, AttentionText> = {
  database_behind: [
    'Diese Datenbank ist vielleicht älter als die Mails, die sie gesendet hat: Antworten kommen auf Mails, die sie nicht kennt',
    'Wurde die Maschine samt ihrer Platte zurückgesetzt? Den Server anhalten, die zweite Zeile aus DATA_DIR/installation nehmen, ihn starten: Er hält, und paquebot resume fragt, was gehen darf. Oder benutzt eine andere Installation denselben SECRET_KEY?',
  ],
  sending_held: [
    'Nichts wird gesendet: Die Datenbank ist nicht die, die hier zuletzt lief',
    'Der Betreiber entscheidet, was davon hinausdarf: paquebot resume.',
  ],
  workspace_suspended: [
    'Dieser Workspace ist gesperrt: Seine Mail wartet, seine Schlüssel werden abgewiesen',
    'Den Grund lesen und beim Betreiber nachfragen. Nichts geht verloren: Es geht weiter, sobald die Sperre endet.',
  ],
  server_off: ['Nichts wird gesendet: Auf dieser Datenbank läuft kein Server', 'Ihn starten: paquebot serve.'],
  dispatcher_stopped: [
    'Nichts wird gesendet: Der Versand dieses Servers steht',
    'Ins Log des Servers sehen und ihn neu starten.',
  ],
  checkpoints_overtake: [
    'Mehrere Prozesse teilen sich einen libSQL-Server, der für immer stehen bleiben kann, weil jeder ihrer Commits einen Checkpoint auslösen kann',
    'Ihn mit --checkpoint-interval-s 5 starten.',
  ],
  commits_not_synced: [
    'Ein Stromausfall beim libSQL-Server kann nehmen, was gerade beantwortet wurde, auch eine Abmeldung: Er schreibt nicht jeden Commit auf die Platte',
    'Seinen durability_mode auf strong stellen, wie docs/scaling.md es beschreibt.',
  ],
  clock_set_back: ['Die Uhr dieser Maschine ging schon weiter', 'Sie mit NTP stellen.'],
  disk_full: ['Die Platte der Datenbank ist voll', 'Platz schaffen; bis dahin wird nichts angenommen.'],
  disk_low: [
    'Die Platte der Datenbank ist fast voll',
    'Platz schaffen oder Mails kürzer aufheben: MESSAGE_RETENTION_DAYS.',
  ],
  wal_large: [
    'Das Protokoll der Datenbank wächst',
    'Etwas liest ohne Ende in der Datenbank: eine Sicherung oder eine Shell, die hängt. Sie beenden.',
  ],
  backup_late: [
    'Die letzte geprüfte Sicherung ist älter als geplant',
    'Nachsehen, warum der Auftrag backup fehlschlug: paquebot backup sagt es auch.',
  ],
  backup_none: [
    'Von selbst entsteht keine Sicherung',
    'BACKUP_TO und BACKUP_PASSPHRASE oder BACKUP_RECIPIENT setzen, oder paquebot backup auf andere Weise ausführen.',
  ],
  archive_late: [
    'Das Archiv aller Änderungen hinkt nach',
    'Sein Speicher nimmt nichts an, oder die Datenbank ließ sich nicht kopieren: die Einzelheit und das Protokoll des Servers lesen.',
  ],
  archive_gap: [
    'Das Archiv war unterbrochen, einige Zeitpunkte lassen sich nicht wiederherstellen',
    'Nichts, wenn es einmal vorkam. paquebot archive status sagt, von wo bis wo wiederhergestellt werden kann.',
  ],
  archive_second_writer: [
    'Ein anderer Server schreibt in dasselbe Archiv, dieser hat damit aufgehört',
    'Ihn finden und anhalten, oder einem der beiden ein anderes ARCHIVE_URL geben; dann neu starten.',
  ],
  links_local: [
    'Links in Mails, auch die zum Abmelden, gehen nur auf dieser Maschine',
    'BASE_URL auf die Adresse setzen, die Empfänger erreichen.',
  ],
  bounces_unseen: [
    'Unzustellbares, das nach der Annahme zurückkommt, sieht niemand; keine Adresse wird dafür gesperrt',
    'INBOUND_DOMAIN und INBOUND_SMTP_PORT setzen oder den Anbieter melden lassen.',
  ],
  capture_mode: [
    'Keine Mail verlässt diese Maschine: Sie wird aufgefangen',
    'SMTP_URL und MAIL_FROM setzen oder ein Relay hinzufügen (paquebot relay create), damit gesendet wird.',
  ],
  mail_held: [
    'Der Mailserver weist uns ab oder ist nicht zu erreichen, die Mails warten',
    'Seine Antwort lesen. Eine Mail versucht es von selbst wieder.',
  ],
  mail_server_fails: [
    'Der Mailserver ist nicht zu erreichen oder nimmt nichts von uns, die Mails verspäten sich',
    'Seine Antwort lesen. Die Mails versuchen es von selbst wieder.',
  ],
  relay_fails: [
    'Ein Relay nimmt nichts, andere übernehmen seine Mails',
    'Seine Antwort lesen, und mit paquebot relay test eine Mail durch es senden. Eine Mail versucht es von selbst wieder.',
  ],
  mail_refused: [
    'Der Mailserver weist diesen Absender ab, die Mails verspäten sich',
    'Seine Antwort lesen: was er von der Domain verlangt (SPF, DKIM, DMARC) oder wer sie listet.',
  ],
  receiver_refuses: [
    'Eine empfangende Domain weist Mails dieses Arbeitsbereichs ab; an andere gehen sie hinaus',
    'Ihre Antwort lesen: Sind diese Adressen alt? Führt sie den Absender auf einer Liste? Was wartet, versucht es von selbst wieder.',
  ],
  receiver_slow: [
    'Der Mailserver antwortet für eine empfangende Domain nicht rechtzeitig, ihre Mails warten; an andere gehen sie hinaus',
    'Den Mailserver oder sein Log fragen, was diese Domain tut. Ihre Mails teilen sich einen Teil der Verbindungen und versuchen es von selbst wieder.',
  ],
  jobs_late: [
    'Aufträge sind fällig und laufen nicht',
    'Sehen, was sie aufhält: ein langsamer Mailserver, ein Endpunkt?',
  ],
  jobs_dead: ['Aufträge sind endgültig gescheitert', 'Den Grund lesen, dann wiederholen oder abbrechen.'],
  mail_uncertain: ['Von Mails ist nicht bekannt, ob sie ankamen', 'Ins Log des Mailservers sehen, dann entscheiden.'],
  mail_failed: ['Mails des letzten Tages ließen sich nicht senden', 'Den Grund bei jeder nachlesen.'],
  domain_unproven: [
    'Kein Arbeitsbereich hat gezeigt, dass ihm die Domain gehört',
    'Ihren Eintrag veröffentlichen oder den Betreiber für sie bürgen lassen.',
  ],
  domain_taken: [
    'Die Absenderdomain gehört einem anderen Arbeitsbereich',
    'Sie hier entfernen oder den Betreiber entscheiden lassen.',
  ],
  domain_broken: [
    'Die DNS-Einträge einer Absenderdomain stimmen nicht mehr',
    'Ihre DKIM-Einträge wieder veröffentlichen, dann prüfen.',
  ],
  domain_unverified: ['Eine Absenderdomain ist nicht bestätigt', 'Ihre Einträge veröffentlichen, dann prüfen.'],
  link_domain_failing: [
    'Die Domain der Links stimmt nicht mehr, und neue Mails haben die Links der Installation',
    'Ihre Einträge wieder veröffentlichen, dann prüfen. Links in gesendeten Mails gehen bis dahin vielleicht nicht.',
  ],
  link_domain_pending: ['Die Domain der Links ist noch nicht bewiesen', 'Ihre Einträge veröffentlichen, dann prüfen.'],
  domain_spoofed: [
    'Empfänger melden, dass jemand anders als eine Absenderdomain sendet',
    'Die Server ansehen. Ist einer davon ein Dienst von dir, lass ihn unterschreiben. Sonst hilft eine strengere DMARC-Regel: Sie wird vorgeschlagen, sobald sie sicher ist.',
  ],
  requirement_broken: [
    'Eine Absenderdomain erfüllt nicht, was ein großer Empfänger verlangt',
    'Den Beleg lesen, und was zu tun ist.',
  ],
  dmarc_missing: [
    'Eine Absenderdomain hat keinen oder einen falschen DMARC-Eintrag',
    '_dmarc als v=DMARC1; p=none veröffentlichen: Große Empfänger verlangen einen.',
  ],
  endpoint_disabled: [
    'Ein Webhook-Endpunkt wurde abgeschaltet',
    'Ihn reparieren, einschalten und Versäumtes nachliefern.',
  ],
  endpoint_failing: [
    'Jede Lieferung an einen Webhook-Endpunkt scheitert',
    'Die letzten Versuche ansehen. Nach fünf Tagen wird er abgeschaltet.',
  ],
  endpoint_late: [
    'Lieferungen an einen Webhook-Endpunkt verspäten sich',
    'Nachsehen, worauf die erste wartet. Ein Endpunkt bekommt so viele in der Sekunde, wie bei ihm steht (sonst 10), und weniger, solange er langsam ist: mehr erlauben oder ihm weniger Ereignisse schicken.',
  ],
  sign_ups_held: [
    'Bestätigungen warten: Zu viele Anmeldungen kamen auf einmal',
    'Niemand davon geht verloren, andere gehen weiter. Melden sich Programme an: der Quelle Schutz geben (guards), und nur abbrechen, was für ihr Netz wartet: POST /v1/contact-subscriptions/cancel-held.',
  ],
  sequence_stopped: [
    'Eine Sequenz wurde von selbst angehalten',
    'Den Grund beheben, dann fortsetzen: Alle in ihr warten.',
  ],
  sequence_stuck: [
    'In einer Sequenz kommen Personen nicht weiter',
    'Diese Personen ansehen: den Schritt wiederholen oder überspringen.',
  ],
  signals_set_aside: [
    'Was mit manchen Personen geschah, konnte für die Sequenzen, die darauf warten, nicht angesehen werden',
    'Den Grund lesen; im Protokoll des Servers steht er ganz. Alle zehn Minuten wird es noch einmal versucht, bis dahin bekommen diese Personen keine Mail einer Sequenz.',
  ],
  contacts_set_aside: [
    'Manche Kontakte konnten für die Segmente nicht angesehen werden',
    'Den Grund lesen; im Protokoll des Servers steht er ganz. Jede Stunde wird es noch einmal versucht, bis dahin bleiben sie in den Segmenten, wie sie waren.',
  ],
  campaign_stopped: ['Eine Kampagne hat von selbst angehalten', 'Den Grund beheben, dann fortsetzen oder abbrechen.'],
  campaign_paused: ['Jemand hat eine Kampagne angehalten', 'Sie fortsetzen oder abbrechen.'],
  recurring_failing: [
    'Aus einer wiederkehrenden Kampagne konnte zuletzt keine werden',
    'Die Einzelheit lesen und sie berichtigen: `PATCH /v1/recurring-campaigns/{id}`. `preview` zeigt, was jetzt hinausginge.',
  ],
  feed_failing: [
    'Der Feed einer wiederkehrenden Kampagne war dreimal oder öfter hintereinander nicht zu lesen',
    'Die Adresse des Feeds öffnen und die wiederkehrende Kampagne berichtigen oder anhalten: `/v1/recurring-campaigns/{id}`.',
  ],
  rates_high: [
    'Zu viele Mails kommen zurück oder gelten als Spam',
    'Die Liste bereinigen, bevor 5 % zurückkommen oder 0,5 % beanstandet werden: Dann halten Kampagnen an.',
  ],
  trust_dropped: [
    'Rückläufer oder Beschwerden haben die Vertrauensstufe gekostet',
    'Die Listen bereinigen, dann den Betreiber prüfen lassen.',
  ],
  hook_unconfirmed: ['Ein Anbieter meldet nichts, bevor sein Abonnement bestätigt ist', 'Seine confirmUrl öffnen.'],
  hook_unsigned: [
    'Meldungen eines Anbieters lassen sich nicht prüfen und zählen nicht',
    'Seine Adresse mit verifyWith neu anlegen.',
  ],
  payments_closed: [
    'Zahlungsereignisse werden abgewiesen: Der Schlüssel für die Signatur fehlt',
    'Den Schlüssel des Anbieters hinterlegen oder den Webhook dort entfernen.',
  ],
  mailbox_unreachable: [
    'In einem Postfach kann nichts ankommen',
    'INBOUND_SMTP_PORT setzen oder dem Anbieter eine Eingangsadresse geben.',
  ],
  replies_waiting: [
    'Was Agenten tun würden, wartet auf eine Freigabe',
    'Sie lesen, dann freigeben oder ablehnen: unter Freigaben.',
  ],
  import_failed: [
    'Ein Import ist gescheitert',
    'Die Datei berichtigen und noch einmal importieren: Was schon da ist, bleibt.',
  ],
  import_stuck: ['Ein Import geht nicht weiter', 'Nach seinem Auftrag sehen.'],
  maker_unknown: [
    'Wer das gemacht hat, ist nicht bekannt; es endet also mit niemandes Ausscheiden',
    'Es neu machen und das alte widerrufen. Einen Endpunkt ab- und wieder einschalten; das Geheimnis der Zahlungen neu hinterlegen.',
  ],
}

/** The same of what the mail server has against us, by its cause. */
const germanCauses: Record<FaultCause, AttentionText> = {
  not_reached: [
    'Der Mailserver ist nicht zu erreichen, die Mails warten',
    'Läuft er dort? Rechner und Port in seiner URL prüfen (SMTP_URL, oder die des Relays), und dass keine Firewall den Weg versperrt.',
  ],
  tls: [
    'Es gibt keine sichere Verbindung (TLS) zum Mailserver, die Mails warten',
    'Ein Zertifikat einrichten, dem für diesen Namen vertraut wird, oder requireTLS, smtps: und den Port in seiner URL prüfen (SMTP_URL, oder die des Relays).',
  ],
  sign_in: [
    'Der Mailserver weist unsere Anmeldung ab, die Mails warten',
    'Benutzer und Kennwort in seiner URL prüfen (SMTP_URL, oder die des Relays), und dass das Konto senden darf.',
  ],
  throttled: [
    'Der Mailserver nimmt gerade nichts mehr von uns, die Mails warten',
    'Das Kontingent oder das Tempo des Kontos ist ausgeschöpft: warten oder beim Anbieter mehr verlangen.',
  ],
  sender: [
    'Der Mailserver weist diesen Absender ab, die Mails warten',
    'Lesen, was er von der Domain verlangt (SPF, DKIM, DMARC), und wer sie auf einer Liste führt.',
  ],
  relaying: [
    'Der Mailserver gibt unsere Mails nicht weiter, die Mails warten',
    'Er nimmt von uns nichts für andere an: das Konto prüfen, oder seine Liste derer, die das dürfen.',
  ],
  receiver: [
    'Die Mails werden überall mit derselben Antwort abgewiesen und warten',
    'Die Antwort lesen: Die empfangende Seite weist diese Mails ab, wer immer sie sendet.',
  ],
}

/** What is wrong and what to do, in the language of the person. */
export function attentionText<C extends string>(
  { code, cause, text, todo }: { code: C; cause: FaultCause | null; text: string; todo: string },
  table: Record<C, AttentionText>,
): AttentionText {
  if (language !== 'de') return [text, todo]
  if (cause === null) return table[code]
  return code === 'relay_fails' ? [table[code][0], germanCauses[cause][1]] : germanCauses[cause]
}
