// The words about people in a sequence: where each is and why, and how they are put in.

import type { RunState } from '../../../db/tables/sequences.ts'
import type { NotBegun } from '../../../src/features/sequences/begin.ts'
import { ownValue } from '../../../src/kit/own-value.ts'
import { count, counted, inLanguage, language, moment } from '../../words.ts'
import { reasonWord } from '../campaigns/reasons.ts'

/** What a sentence about somebody is made of. */
interface RunInWords {
  state: RunState
  stepId: string
  reason: string | null
  dueAt: string | null
  /** As the API says it, in English. */
  why: string
}

/** Beside those for which somebody does not get a campaign. */
type Reason =
  | NotBegun
  | 'unknown_contact'
  | 'goal'
  | 'by_hand'
  | 'stopped'
  | 'suppressed'
  | 'erased'
  | 'moved_out'
  | 'step_gone'
  | 'too_many_steps'
  | 'daily_cap'
  | 'quiet_hours'
  | 'not_on_list'
  | 'list_gone'
  | 'double_opt_in'
  | 'nothing_to_set'
  | 'no_final_reply'

const english: Record<Reason, string> = {
  already_in: 'is in it already',
  was_in: 'was in it, and it is once for each',
  too_soon: 'was in it too short a time ago',
  too_many_runs: 'is in too many sequences',
  unknown_contact: 'is no contact',
  goal: 'reached the goal',
  by_hand: 'by hand',
  stopped: 'the sequence was stopped',
  suppressed: 'is on the suppression list',
  erased: 'the contact was erased',
  moved_out: 'taken out with a new version',
  too_many_steps: 'went round too often',
  daily_cap: 'the daily limit is reached',
  quiet_hours: 'their quiet hours',
  step_gone: 'the step is no longer there',
  not_on_list: 'was not on the list',
  list_gone: 'the list is gone',
  double_opt_in: 'the list asks for a confirmation',
  nothing_to_set: 'there was nothing to set',
  no_final_reply: 'the mail server did not answer',
}
const german: Record<Reason, string> = {
  already_in: 'ist schon darin',
  was_in: 'war schon darin, und sie ist einmal für jeden',
  too_soon: 'war vor zu kurzer Zeit darin',
  too_many_runs: 'ist in zu vielen Sequenzen',
  unknown_contact: 'ist kein Kontakt',
  goal: 'hat das Ziel erreicht',
  by_hand: 'von Hand',
  stopped: 'die Sequenz wurde beendet',
  suppressed: 'steht auf der Sperrliste',
  erased: 'die Daten des Kontakts wurden gelöscht',
  moved_out: 'mit einer neuen Version herausgenommen',
  too_many_steps: 'ging zu oft im Kreis',
  daily_cap: 'die Tagesgrenze ist erreicht',
  quiet_hours: 'die Ruhezeit',
  step_gone: 'den Schritt gibt es nicht mehr',
  not_on_list: 'war nicht auf der Liste',
  list_gone: 'die Liste gibt es nicht mehr',
  double_opt_in: 'die Liste fragt nach einer Bestätigung',
  nothing_to_set: 'es war nichts zu setzen',
  no_final_reply: 'der Mailserver antwortete nicht',
}

const englishOutcomes: Record<string, string> = {
  sent: 'sent',
  waited: 'waited',
  skipped: 'left out',
  came: 'the event came',
  did_not_come: 'the event did not come in time',
  no_branch: 'no branch fitted',
  nothing_gathered: 'nothing had come',
  done: 'done',
  failed: 'did not work',
}
const germanOutcomes: Record<string, string> = {
  sent: 'gesendet',
  waited: 'gewartet',
  skipped: 'ausgelassen',
  came: 'das Ereignis kam',
  did_not_come: 'das Ereignis kam nicht rechtzeitig',
  no_branch: 'kein Zweig passte',
  nothing_gathered: 'es war nichts gekommen',
  done: 'getan',
  failed: 'ging nicht',
}

export const words = inLanguage({
  en: {
    reasons: english as Record<string, string>,
    byEvent: (name: string) => `the event ${name} came`,
    told: (n: number) => `about ${counted(n, 'event', 'events')}`,
    tests: (variant: string) => `tests variant ${variant}`,
    gets: (variant: string) => `gets variant ${variant}`,
    gathered: 'Gathered',
    events: (n: number) => counted(n, 'event', 'events'),
    bySignal: {
      'list.joined': 'joined a list',
      'list.left': 'left a list',
      'segment.joined': 'came into a segment',
      'segment.left': 'left a segment',
      property: 'a property changed',
      'mail.clicked': 'opened a link of a mail',
      'mail.bounced': 'a mail came back',
    } as Record<string, string>,
    caption: 'People in this sequence, the last begun first',
    state: 'State',
    anyState: 'all',
    step: 'Step',
    anyStep: 'any step',
    address: 'Address',
    version: 'Version',
    goesOn: 'Goes on',
    began: 'Began',
    reason: 'Why',
    erased: 'deleted contact',
    emptyFiltered: 'Nobody is there.',
    empty: 'Nobody has been in it yet.',
    putIn: 'Put people in',
    putInHow: 'Each person begins as the sequence allows: see how often under Who begins.',
    onlyPublished: 'People can be put in once it is published.',
    addresses: 'Addresses of contacts, one a line',
    look: 'See who would begin',
    wouldBegin: (n: number) => `${counted(n, 'person', 'people')} would begin.`,
    ofFirst: (looked: number, n: number) => `Of the first ${count(looked)}, ${count(n)} would begin.`,
    begun: (n: number) => `${counted(n, 'person', 'people')} began.`,
    notBegin: 'These would not:',
    putInNow: (n: number) => `Put ${counted(n, 'person', 'people')} in`,
    segment: 'Everybody of a segment',
    segmentPut: 'Put them in',
    segmentTitle: (name: string) => `Put everybody of ${name} in`,
    segmentHow: (n: number) =>
      `${counted(n, 'contact is', 'contacts are')} in it now. They begin in the background, as far as the sequence allows.`,
    enrolments: 'Segments that were put in',
    segmentName: 'Segment',
    started: 'Began',
    skippedPeople: 'Did not',
    progress: 'Progress',
    going: 'goes on',
    finished: 'done',
    since: 'Since',
    facts: 'About it',
    contact: 'Contact',
    key: 'Apart by',
    event: 'Begun by',
    theEvent: 'the event',
    mail: 'Its mail',
    theMail: 'the mail',
    ended: 'Ended',
    path: 'The way so far',
    noPath: 'No step is over yet.',
    number: 'No.',
    did: 'What it did',
    when: 'When',
    outcomes: englishOutcomes,
    tookBranch: (n: string) => `took branch ${n}`,
    exit: 'Take out',
    exitTitle: 'Take this person out',
    exitHow: 'They leave at once; a mail that is not handed over yet is not sent.',
    skip: 'Leave this step out',
    skipTitle: 'Go on without this step',
    skipHow: 'What it waits for, or its mail, is left out for this person.',
    retry: 'Try again',
    retried: 'It is tried again.',
  },
  de: {
    reasons: german as Record<string, string>,
    byEvent: (name: string) => `das Ereignis ${name} kam`,
    told: (n: number) => `über ${counted(n, 'Ereignis', 'Ereignisse')}`,
    tests: (variant: string) => `testet Variante ${variant}`,
    gets: (variant: string) => `bekommt Variante ${variant}`,
    gathered: 'Gesammelt',
    events: (n: number) => counted(n, 'Ereignis', 'Ereignisse'),
    bySignal: {
      'list.joined': 'trat einer Liste bei',
      'list.left': 'verließ eine Liste',
      'segment.joined': 'kam in ein Segment',
      'segment.left': 'verließ ein Segment',
      property: 'eine Eigenschaft änderte sich',
      'mail.clicked': 'öffnete einen Link einer Mail',
      'mail.bounced': 'eine Mail kam zurück',
    } as Record<string, string>,
    caption: 'Menschen in dieser Sequenz, die zuletzt begonnenen zuerst',
    state: 'Stand',
    anyState: 'alle',
    step: 'Schritt',
    anyStep: 'jeder Schritt',
    address: 'Adresse',
    version: 'Version',
    goesOn: 'Geht weiter',
    began: 'Begann',
    reason: 'Warum',
    erased: 'gelöschter Kontakt',
    emptyFiltered: 'Da ist niemand.',
    empty: 'Noch war niemand darin.',
    putIn: 'Menschen hineinnehmen',
    putInHow: 'Jeder beginnt, wie es die Sequenz erlaubt: wie oft, steht unter „Wer beginnt“.',
    onlyPublished: 'Menschen lassen sich hineinnehmen, sobald sie veröffentlicht ist.',
    addresses: 'Adressen von Kontakten, eine je Zeile',
    look: 'Ansehen, wer begänne',
    wouldBegin: (n: number) => `${counted(n, 'Mensch begänne', 'Menschen begännen')}.`,
    ofFirst: (looked: number, n: number) => `Von den ersten ${count(looked)} begännen ${count(n)}.`,
    begun: (n: number) => `${counted(n, 'Mensch begann', 'Menschen begannen')}.`,
    notBegin: 'Diese nicht:',
    putInNow: (n: number) => `${counted(n, 'Menschen', 'Menschen')} hineinnehmen`,
    segment: 'Alle aus einem Segment',
    segmentPut: 'Hineinnehmen',
    segmentTitle: (name: string) => `Alle aus ${name} hineinnehmen`,
    segmentHow: (n: number) =>
      `${counted(n, 'Kontakt ist', 'Kontakte sind')} jetzt darin. Sie beginnen im Hintergrund, soweit es die Sequenz erlaubt.`,
    enrolments: 'Segmente, die hineingenommen wurden',
    segmentName: 'Segment',
    started: 'Begannen',
    skippedPeople: 'Nicht',
    progress: 'Verlauf',
    going: 'läuft',
    finished: 'fertig',
    since: 'Seit',
    facts: 'Einzelheiten',
    contact: 'Kontakt',
    key: 'Getrennt nach',
    event: 'Begonnen durch',
    theEvent: 'das Ereignis',
    mail: 'Die Mail',
    theMail: 'die Mail',
    ended: 'Endete',
    path: 'Der Weg bisher',
    noPath: 'Noch ist kein Schritt vorbei.',
    number: 'Nr.',
    did: 'Was er tat',
    when: 'Wann',
    outcomes: germanOutcomes,
    tookBranch: (n: string) => `nahm Zweig ${n}`,
    exit: 'Herausnehmen',
    exitTitle: 'Diesen Menschen herausnehmen',
    exitHow: 'Er verlässt sie sofort; eine Mail, die noch nicht übergeben ist, geht nicht hinaus.',
    skip: 'Diesen Schritt auslassen',
    skipTitle: 'Ohne diesen Schritt weitergehen',
    skipHow: 'Worauf er wartet, oder seine Mail, bleibt für diesen Menschen aus.',
    retry: 'Noch einmal',
    retried: 'Es wird noch einmal versucht.',
  },
})

/** A code in words, or what happened that was an exit, or what a digest told; a sentence of a refusal as it is. */
export function reasonInWords(reason: string): string {
  const [, told] = /^gathered (\d+)$/.exec(reason) ?? []
  if (told !== undefined) return words.told(Number(told))
  const [, does, variant = ''] = /^(tests|gets) (.+)$/.exec(reason) ?? []
  if (does !== undefined) return does === 'tests' ? words.tests(variant) : words.gets(variant)
  const [, event] = /^event:(.+)$/.exec(reason) ?? []
  if (event !== undefined) return words.byEvent(event)
  const [signal = ''] = reason.split(':')
  return ownValue(words.bySignal, signal) ?? ownValue(words.reasons, reason) ?? reasonWord(reason)
}

export function outcomeInWords(outcome: string): string {
  const [, branch] = /^branch (\d+)$/.exec(outcome) ?? []
  return branch === undefined ? (ownValue(words.outcomes, outcome) ?? outcome) : words.tookBranch(branch)
}

/** Where somebody is and why: the sentence of the API with times and codes as people read them, or the same in German. */
export function whyInWords(run: RunInWords, isPaused: boolean): string {
  if (language === 'de') return whyInGerman(run, isPaused)
  const { why, reason } = run
  const readable = why.replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, moment)
  return reason === null ? readable : readable.replace(reason, reasonInWords(reason))
}

function whyInGerman({ state, stepId, reason, dueAt }: RunInWords, isPaused: boolean): string {
  const at = `beim Schritt ${stepId}`
  const because = reasonInWords(reason ?? '')
  switch (state) {
    case 'completed':
      return reason === 'goal' ? 'Das Ziel ist erreicht.' : 'Am Ende angekommen.'
    case 'exited':
      return `Ging ${at}: ${because}.`
    case 'failed':
      return `Bleibt ${at}, der sich nicht tun lässt: ${because}. Noch einmal versuchen oder auslassen.`
    case 'uncertain':
      return `Die Mail des Schritts ${stepId} wurde übergeben, und es kam keine Antwort (${because}). Sag bei ihrem Auftrag, ob sie ankam, oder lass den Schritt aus.`
    case 'sending':
      return isPaused ? `Die Mail wartet ${at}, weil die Sequenz angehalten ist.` : `Die Mail ist unterwegs, ${at}.`
    case 'waiting':
      if (reason === null && isPaused) return `Wartet ${at}, weil die Sequenz angehalten ist.`
      return `Wartet ${at}${dueAt === null ? '' : ` bis ${moment(dueAt)}`}${reason === null ? '' : `: ${because}`}.`
  }
}
