// The words of Sequences: their list, what is done with one, and what it needs.

import { count, counted, inLanguage } from '../../words.ts'

const english: Record<string, string> = {
  manual: 'Somebody paused it. Resume it when it may go on.',
  restored:
    'The database was put back or copied, so people may be further along than it knows. Look at some of them under People, then resume.',
  bounce_rate: 'Too many addresses bounced. Find out where they came from and remove them before you resume.',
  complaint_rate:
    'Too many people complained. Ask fewer people, or say more clearly why they get it, before you resume.',
}
const german: Record<string, string> = {
  manual: 'Jemand hat sie angehalten. Setz sie fort, wenn es weitergehen darf.',
  restored:
    'Die Datenbank wurde zurückgespielt oder kopiert, manche können also weiter sein, als sie weiß. Sieh dir unter Menschen einige an und setz sie dann fort.',
  bounce_rate:
    'Zu viele Adressen wiesen Mails zurück. Finde heraus, woher sie kamen, und entferne sie, bevor du fortsetzt.',
  complaint_rate:
    'Zu viele haben sich beschwert. Schreib weniger Menschen an, oder sag deutlicher, warum sie das bekommen, bevor du fortsetzt.',
}

export const words = inLanguage({
  en: {
    title: 'Sequences',
    caption: 'Sequences, newest first',
    all: 'All sequences',
    create: 'New sequence',
    state: 'State',
    name: 'Name',
    version: 'Version',
    changed: 'Changed',
    inIt: 'In it',
    uncertain: 'Uncertain',
    failed: 'Failed',
    completed: 'Completed',
    exited: 'Left',
    empty:
      'No sequence yet. It does something for each person, step by step: sends a mail, waits, looks what they did, and goes on. Begin with a recipe, or with a blank one.',
    blank: 'Begin with a blank one',
    recipesTitle: 'Recipes',
    recipesHow: 'Each makes a draft. Nobody gets anything before you publish it; everything in it can be changed.',
    use: 'Begin with it',
    recipes: {
      welcome: ['Welcome series', 'Greets whoever signs up, gives tips on workdays, and ends with an offer.'],
      abandonedCart: ['Abandoned cart', 'Reminds three times of each cart by itself, until something is bought.'],
      trial: ['Trial that ends', 'Helps those who are stuck, and says in time that fourteen days are over.'],
      winBack: ['Win-back', 'Writes sixty days after an order, if no other has come.'],
      birthday: ['Birthday', 'Congratulates each year at nine, where the person is.'],
      digest: [
        'Digest of what came',
        'Gathers comments for an hour and sends one mail with all of them, instead of one for each.',
      ],
      dunning: ['Failed payment', 'Asks three times for a payment that failed, until the invoice is paid.'],
    },
    blankTitle: 'Blank',
    blankHow: 'One step, which waits a day. Add the others where they belong.',
    draftIt: 'Draft it',
    tabs: 'Parts of the sequence',
    steps: 'Steps',
    people: 'People',
    pause: 'Pause',
    resume: 'Resume',
    paused: 'Paused: nobody gets anything until you resume.',
    resumed: 'It goes on.',
    pausedTitle: 'It is paused, and everybody stays where they are.',
    pausedHow: (reason: string) => `Its mails cannot be made: ${reason}. Mend the template or the sender, then resume.`,
    pauses: english,
    stoppedHow: 'It was stopped: everybody has left, and it does not come back.',
    stop: 'Stop for good',
    stopTitle: 'End it for everybody',
    stopHow: (n: number) =>
      `${counted(n, 'person is', 'people are')} in it and will leave. No further mail is sent, nobody begins, and it does not come back. To hold it for a while, pause it.`,
    remove: 'Delete',
    removed: (name: string) => `${name} was deleted.`,
    unpublished: 'It is a draft. Nobody begins it before it is published.',
    isPublished: (version: number) => `People begin version ${version}, which is what stands here.`,
    differs: (version: number) => `People begin version ${version}. What stands here differs from it.`,
    publish: 'Publish',
    publishTitle: (name: string) => `Publish ${name}`,
    publishHow: (version: number) => `From now on people begin with version ${version}, as it stands here.`,
    staying: (n: number) =>
      n === 0
        ? 'Nobody is in it now.'
        : `${counted(n, 'person is', 'people are')} in it and stay in the version that they began.`,
    moving: (n: number) => `${counted(n, 'person is', 'people are')} in it. Whoever’s mail is on its way stays.`,
    moveThem: 'Move them to the new version',
    moves: 'Who moves where',
    from: 'From',
    to: 'To',
    stepOf: (stepId: string, version: number) => `${stepId} of version ${version}`,
    stays: 'they stay where they are',
    movesOut: 'they leave',
    nextMail: 'Next mail',
    noMail: 'none',
    staysPaused: 'It stays paused until you resume it.',
    forEverybody: 'Its mail is transactional: it goes also to people who did not agree to mail.',
    whatIsPublished: 'What is published',
    published: 'Published.',
    saveFirst: 'Save first; what is saved is what is published.',
    rehearsal: 'Rehearse it',
    rehearsalHow:
      'What it would do with somebody, and when: with the consent, the limits and the properties that they have now. Nothing is sent, and nothing stays.',
    rehearseSaved: 'What is saved is rehearsed: save your changes first.',
    rehearse: 'Rehearse',
    rehearseFor: 'For the contact with this address',
    beginProperties: 'Properties of the event that begins it, one a line',
    meanwhile: 'What happens meanwhile',
    meanwhileOf: (n: string) => `Event no. ${n}`,
    afterBegin: 'So long after the begin',
    addMeanwhile: 'Add an event',
    missing: (n: number) => `${counted(n, 'thing keeps', 'things keep')} it from being published:`,
  },
  de: {
    title: 'Sequenzen',
    caption: 'Sequenzen, neueste zuerst',
    all: 'Alle Sequenzen',
    create: 'Neue Sequenz',
    state: 'Stand',
    name: 'Name',
    version: 'Version',
    changed: 'Geändert',
    inIt: 'Darin',
    uncertain: 'Ungewiss',
    failed: 'Gescheitert',
    completed: 'Am Ziel',
    exited: 'Verließen sie',
    empty:
      'Noch keine Sequenz. Sie tut für jeden Menschen etwas, Schritt für Schritt: sendet eine Mail, wartet, sieht nach, was er tat, und geht weiter. Fang mit einem Rezept an, oder mit einer leeren.',
    blank: 'Mit einer leeren anfangen',
    recipesTitle: 'Rezepte',
    recipesHow:
      'Jedes wird ein Entwurf. Niemand bekommt etwas, bevor du ihn veröffentlichst; alles darin lässt sich ändern.',
    use: 'Damit anfangen',
    recipes: {
      welcome: ['Willkommen', 'Begrüßt alle, die sich anmelden, gibt an Werktagen Tipps und endet mit einem Angebot.'],
      abandonedCart: ['Verlassener Warenkorb', 'Erinnert dreimal an jeden Warenkorb für sich, bis etwas gekauft wird.'],
      trial: ['Probezeit, die endet', 'Hilft, wo es klemmt, und sagt rechtzeitig, dass vierzehn Tage um sind.'],
      winBack: ['Rückgewinnung', 'Schreibt sechzig Tage nach einer Bestellung, wenn keine weitere kam.'],
      birthday: ['Geburtstag', 'Gratuliert jedes Jahr um neun Uhr, dort wo der Mensch ist.'],
      digest: [
        'Sammelmail',
        'Sammelt Kommentare eine Stunde lang und sendet eine Mail mit allen, statt für jeden eine.',
      ],
      dunning: [
        'Gescheiterte Zahlung',
        'Bittet dreimal um eine Zahlung, die gescheitert ist, bis die Rechnung bezahlt ist.',
      ],
    },
    blankTitle: 'Leer',
    blankHow: 'Ein Schritt, der einen Tag wartet. Füg die anderen hinzu, wo sie hingehören.',
    draftIt: 'Entwerfen',
    tabs: 'Teile der Sequenz',
    steps: 'Schritte',
    people: 'Menschen',
    pause: 'Anhalten',
    resume: 'Fortsetzen',
    paused: 'Angehalten: niemand bekommt etwas, bis du sie fortsetzt.',
    resumed: 'Es geht weiter.',
    pausedTitle: 'Sie ist angehalten, und alle bleiben, wo sie sind.',
    pausedHow: (reason: string) =>
      `Ihre Mails lassen sich nicht machen: ${reason}. Bring die Vorlage oder den Absender in Ordnung und setz sie dann fort.`,
    pauses: german,
    stoppedHow: 'Sie ist beendet: alle haben sie verlassen, und sie kommt nicht wieder.',
    stop: 'Für immer beenden',
    stopTitle: 'Für alle beenden',
    stopHow: (n: number) =>
      `${counted(n, 'Mensch ist', 'Menschen sind')} darin und verlassen sie. Keine Mail geht mehr hinaus, niemand beginnt, und sie kommt nicht wieder. Für eine Weile lässt sie sich anhalten.`,
    remove: 'Löschen',
    removed: (name: string) => `${name} ist gelöscht.`,
    unpublished: 'Ein Entwurf. Niemand beginnt ihn, bevor er veröffentlicht ist.',
    isPublished: (version: number) => `Begonnen wird Version ${version}: das, was hier steht.`,
    differs: (version: number) => `Begonnen wird Version ${version}. Was hier steht, ist anders.`,
    publish: 'Veröffentlichen',
    publishTitle: (name: string) => `${name} veröffentlichen`,
    publishHow: (version: number) => `Ab jetzt beginnen alle mit Version ${version}, so wie sie hier steht.`,
    staying: (n: number) =>
      n === 0
        ? 'Niemand ist gerade darin.'
        : `${counted(n, 'Mensch ist darin und bleibt', 'Menschen sind darin und bleiben')} in der begonnenen Version.`,
    moving: (n: number) =>
      `${counted(n, 'Mensch ist', 'Menschen sind')} darin. Wessen Mail unterwegs ist, bleibt, wo er ist.`,
    moveThem: 'In die neue Version mitnehmen',
    moves: 'Wer wohin geht',
    from: 'Von',
    to: 'Nach',
    stepOf: (stepId: string, version: number) => `${stepId} aus Version ${version}`,
    stays: 'sie bleiben, wo sie sind',
    movesOut: 'sie verlassen sie',
    nextMail: 'Nächste Mail',
    noMail: 'keine',
    staysPaused: 'Sie bleibt angehalten, bis du sie fortsetzt.',
    forEverybody: 'Ihre Mails sind transaktional: sie gehen auch an Menschen, die mit Mails nicht einverstanden sind.',
    whatIsPublished: 'Was veröffentlicht wird',
    published: 'Veröffentlicht.',
    saveFirst: 'Speichere zuerst: veröffentlicht wird, was gespeichert ist.',
    rehearsal: 'Probe',
    rehearsalHow:
      'Was sie mit jemandem täte, und wann: mit den Einwilligungen, Grenzen und Eigenschaften von jetzt. Nichts geht hinaus, und nichts bleibt.',
    rehearseSaved: 'Geprobt wird, was gespeichert ist: speichere zuerst.',
    rehearse: 'Proben',
    rehearseFor: 'Für den Kontakt mit dieser Adresse',
    beginProperties: 'Eigenschaften des Ereignisses, mit dem sie beginnt, eine je Zeile',
    meanwhile: 'Was unterdessen geschieht',
    meanwhileOf: (n: string) => `Ereignis Nr. ${n}`,
    afterBegin: 'So lange nach dem Beginn',
    addMeanwhile: 'Ereignis hinzufügen',
    missing: (n: number) => `${counted(n, 'Sache fehlt', 'Sachen fehlen')} noch zum Veröffentlichen:`,
  },
})

/** In states in which somebody is still in it. */
export function openPeople(people: { waiting: number; sending: number; uncertain: number; failed: number }): number {
  return people.waiting + people.sending + people.uncertain + people.failed
}

/** Nothing for none. */
export const orNothing = (n: number) => (n === 0 ? null : count(n))
