// What the mails of the recipes may say, by the id of the template: something to begin with, which is shown and changed before it is a
// template. And the words around that.

import { ownValue } from '../../../src/kit/own-value.ts'
import type { Issue } from '../../api.ts'
import { inLanguage } from '../../words.ts'

export interface MailText {
  subject: string
  text: string
}

type Mails = Record<string, [subject: string, text: string]>

const english: Mails = {
  welcome: ['Welcome', 'It is good that you are here.\n\nThis is how you begin: …'],
  'welcome-tips': [
    'Three tips to begin with',
    'Most people find these useful in their first days:\n\n1. …\n\n2. …\n\n3. …',
  ],
  'welcome-offer': [
    'Something for your first order',
    'You have looked around by now. This week your first order costs less: …',
  ],
  'cart-reminder': ['You left something in your cart', 'It is still there, as you left it: …'],
  'cart-questions': [
    'Is anything unclear?',
    'Something kept you from ordering. If it was a question, reply to this mail.',
  ],
  'cart-last-call': ['We keep your cart until tonight', 'After that it is emptied. Here it is: …'],
  'trial-welcome': ['Your trial begins', 'You have fourteen days. A first project takes ten minutes: …'],
  help: ['Shall we help you begin?', 'There is no project in your account yet. This is the shortest way to one: …'],
  'trial-ends-soon': ['Your trial ends in three days', 'This is what you keep, and what it costs: …'],
  'trial-last-day': ['Your trial ends today', 'To go on, choose a plan: …'],
  'trial-last-day-for-teams': ['The trial of your team ends today', 'To go on together, choose a plan: …'],
  'we-miss-you': ['It has been a while', 'This is new since your last order: …'],
  'come-back-offer': ['Something for your next order', 'With this your next order costs less: …'],
  'happy-birthday': ['Happy birthday', 'All the best for the new year of your life.'],
  'payment-failed': ['A payment failed', 'We could not collect the payment. Please check your card here: …'],
  'payment-reminder': ['The payment is still open', 'We tried again, and it failed. Please check your card here: …'],
  'payment-last-reminder': [
    'The last reminder of your payment',
    'If nothing is paid by the end of the week, your account is closed. Pay here: …',
  ],
}

const german: Mails = {
  welcome: ['Willkommen', 'Schön, dass du da bist.\n\nSo fängst du an: …'],
  'welcome-tips': ['Drei Tipps für den Anfang', 'Das hilft den meisten in den ersten Tagen:\n\n1. …\n\n2. …\n\n3. …'],
  'welcome-offer': [
    'Etwas für deine erste Bestellung',
    'Du hast dich umgesehen. Diese Woche kostet die erste Bestellung weniger: …',
  ],
  'cart-reminder': ['In deinem Warenkorb liegt noch etwas', 'Es liegt noch da, wie du es gelassen hast: …'],
  'cart-questions': [
    'Ist etwas unklar?',
    'Etwas hat dich vom Bestellen abgehalten. War es eine Frage, antworte auf diese Mail.',
  ],
  'cart-last-call': ['Wir behalten deinen Warenkorb bis heute Abend', 'Danach wird er geleert. Hier ist er: …'],
  'trial-welcome': ['Deine Probezeit beginnt', 'Du hast vierzehn Tage. Ein erstes Projekt dauert zehn Minuten: …'],
  help: [
    'Sollen wir beim Anfang helfen?',
    'In deinem Konto ist noch kein Projekt. Das ist der kürzeste Weg zu einem: …',
  ],
  'trial-ends-soon': ['Deine Probezeit endet in drei Tagen', 'Das behältst du, und das kostet es: …'],
  'trial-last-day': ['Deine Probezeit endet heute', 'Damit es weitergeht, such dir einen Tarif aus: …'],
  'trial-last-day-for-teams': [
    'Die Probezeit deines Teams endet heute',
    'Damit es für euch weitergeht, sucht euch einen Tarif aus: …',
  ],
  'we-miss-you': ['Lange nicht gesehen', 'Das ist neu seit deiner letzten Bestellung: …'],
  'come-back-offer': ['Etwas für deine nächste Bestellung', 'Damit kostet deine nächste Bestellung weniger: …'],
  'happy-birthday': ['Alles Gute zum Geburtstag', 'Alles Gute für dein neues Lebensjahr.'],
  'payment-failed': [
    'Eine Zahlung ist gescheitert',
    'Wir konnten den Betrag nicht einziehen. Bitte prüf deine Karte hier: …',
  ],
  'payment-reminder': [
    'Die Zahlung ist noch offen',
    'Wir haben es noch einmal versucht, vergebens. Bitte prüf deine Karte hier: …',
  ],
  'payment-last-reminder': [
    'Die letzte Erinnerung an deine Zahlung',
    'Ist bis Ende der Woche nichts bezahlt, wird dein Konto geschlossen. Zahl hier: …',
  ],
}

export const words = inLanguage({
  en: {
    mails: english,
    missing: (id: string) => `The mail ${id} is not written yet.`,
    title: 'Write this mail here',
    how: 'It becomes a template, in plain text with the name and the unsubscribe link of your workspace below. Its looks can be changed there at any time.',
    subject: 'Subject',
    text: 'Text',
    textHow:
      'An empty line begins a paragraph. {{contact.firstName|friend}} is the first name, or what stands behind the line.',
    write: 'Make the mail',
    written: 'The mail is there.',
    unfinished: 'There is still an … in it, where you should say something of your own.',
  },
  de: {
    mails: german,
    missing: (id: string) => `Die Mail ${id} ist noch nicht geschrieben.`,
    title: 'Diese Mail hier schreiben',
    how: 'Sie wird eine Vorlage, als schlichter Text, mit dem Namen und dem Abmeldelink des Arbeitsbereichs darunter. Wie sie aussieht, lässt sich dort jederzeit ändern.',
    subject: 'Betreff',
    text: 'Text',
    textHow:
      'Eine leere Zeile beginnt einen Absatz. {{contact.firstName|du}} ist der Vorname, oder was hinter dem Strich steht.',
    write: 'Mail anlegen',
    written: 'Die Mail ist da.',
    unfinished: 'Darin steht noch ein …, wo du etwas Eigenes sagen solltest.',
  },
})

/** What is wrong, as the API says it; of a mail that nobody has written yet, as its author would. */
export function issueInWords({ message }: Issue): string {
  const [, id] = /^there is no active template "(.+)"$/.exec(message) ?? []
  return id === undefined ? message : words.missing(id)
}

/** What is suggested for the mail that a recipe names so; empty for any other. */
export function suggestionFor(templateId: string): MailText {
  const [subject = '', text = ''] = ownValue(words.mails, templateId) ?? []
  return { subject, text }
}
