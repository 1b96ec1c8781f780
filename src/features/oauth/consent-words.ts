// The words of the page on which a person allows a client something, in the language of their browser.

import { acceptedLocale, baseLocale } from '../../kit/locale.ts'
import { ownValue } from '../../kit/own-value.ts'
import type { GrantScope } from './resources.ts'

export interface ConsentWords {
  locale: string
  title: (client: string) => string
  unverified: string
  published: (host: string) => string
  thisMachine: string
  sentBack: string
  signedInAs: string
  opens: string
  workspace: string
  mailbox: string
  ofWorkspace: (workspace: string) => string
  viewer: string
  tooMuch: string
  may: string
  scopes: Record<'workspace' | 'mailbox', Partial<Record<GrantScope, string>>>
  always: string
  nothingToOpen: Record<'workspace' | 'mailbox', string>
  ends: string
  allow: string
  deny: string
  refused: string
  refusedHow: string
}

const english: ConsentWords = {
  locale: 'en',
  title: (client) => `Connect “${client}”?`,
  unverified:
    'The program chose this name itself, and nobody has checked it. Allow this only if you have just begun it there.',
  published: (host) => `The program says who it is at ${host}.`,
  thisMachine: 'a program on your own device',
  sentBack: 'Then you are sent to',
  signedInAs: 'You are signed in as',
  opens: 'What it may open',
  workspace: 'Workspace',
  mailbox: 'Mailbox',
  ofWorkspace: (workspace) => `of ${workspace}`,
  viewer: 'you are a viewer',
  tooMuch: 'Where you are a viewer, you can allow a program to read, and no more.',
  may: 'What it may do there',
  scopes: {
    workspace: {
      read: 'Read: campaigns and their reports, templates, sequences, segments and how many are in them, the addresses of mailboxes, what needs attention. No mail.',
      write:
        'Prepare and change: templates, drafts of campaigns, sequences and segments. It can also delete templates.',
      send: 'Send: start campaigns, which go to whole lists and cannot be recalled.',
    },
    mailbox: {
      read: 'Read all mail that this mailbox received. It opens no other mailbox.',
      reply: 'Reply to the sender of a mail, from this address, at most 20 times an hour.',
    },
  },
  always: 'always part of it',
  nothingToOpen: {
    workspace: 'You are not a member of any workspace here.',
    mailbox: 'There is no mailbox in your workspaces that it could open.',
  },
  ends: 'It may do this until you revoke it in the dashboard, at Agents, or lose your own right to it.',
  allow: 'Allow',
  deny: 'Do not allow',
  refused: 'This program cannot be connected',
  refusedHow: 'Nothing was allowed. Begin again in the program, or tell whoever makes it what stands above.',
}

const german: ConsentWords = {
  locale: 'de',
  title: (client) => `„${client}“ verbinden?`,
  unverified:
    'Diesen Namen hat sich das Programm selbst gegeben, niemand hat ihn geprüft. Erlaube das nur, wenn du es eben dort begonnen hast.',
  published: (host) => `Wer es ist, sagt das Programm unter ${host}.`,
  thisMachine: 'einem Programm auf deinem eigenen Gerät',
  sentBack: 'Danach geht es weiter zu',
  signedInAs: 'Du bist angemeldet als',
  opens: 'Was es öffnen darf',
  workspace: 'Arbeitsbereich',
  mailbox: 'Postfach',
  ofWorkspace: (workspace) => `von ${workspace}`,
  viewer: 'du bist Betrachter',
  tooMuch: 'Wo du Betrachter bist, kannst du einem Programm nur das Lesen erlauben.',
  may: 'Was es dort darf',
  scopes: {
    workspace: {
      read: 'Lesen: Kampagnen und ihre Berichte, Vorlagen, Abläufe, Segmente und wie viele darin sind, die Adressen der Postfächer, was Aufmerksamkeit braucht. Keine Mails.',
      write:
        'Vorbereiten und ändern: Vorlagen, Entwürfe von Kampagnen, Abläufe und Segmente. Vorlagen kann es auch löschen.',
      send: 'Senden: Kampagnen beginnen, die an ganze Listen gehen und nicht zurückzuholen sind.',
    },
    mailbox: {
      read: 'Alle Mails lesen, die dieses Postfach bekommen hat. Ein anderes Postfach öffnet es nicht.',
      reply: 'Dem Absender einer Mail antworten, von dieser Adresse, höchstens 20 Mal in der Stunde.',
    },
  },
  always: 'gehört immer dazu',
  nothingToOpen: {
    workspace: 'Du gehörst hier zu keinem Arbeitsbereich.',
    mailbox: 'In deinen Arbeitsbereichen gibt es kein Postfach, das es öffnen könnte.',
  },
  ends: 'Das gilt, bis du es unter Agenten widerrufst oder selbst das Recht dazu verlierst.',
  allow: 'Erlauben',
  deny: 'Nicht erlauben',
  refused: 'Dieses Programm kann nicht verbunden werden',
  refusedHow: 'Nichts wurde erlaubt. Beginne im Programm noch einmal, oder sag denen, die es machen, was hier steht.',
}

const languages: Record<string, ConsentWords> = { en: english, de: german }

export function consentWords({ headers }: Request): ConsentWords {
  const locale = acceptedLocale(headers.get('accept-language'))
  return (locale === null ? undefined : ownValue(languages, baseLocale(locale))) ?? english
}
