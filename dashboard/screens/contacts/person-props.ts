// What the parts of a person's page show, and how they say that they changed it.

import type { ConsentEntry, Contact, MailingList, Suppression } from '../../nouns.ts'

export interface Person {
  contact: Contact
  suppression: Suppression | undefined
  ledger: ConsentEntry[]
  lists: MailingList[]
}

export interface PersonProps {
  of: Person
  /** After something was done: what, in words. */
  changed: (says: string) => void
}
