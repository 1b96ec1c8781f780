// The words of Sequences: their list, what is done with one, and what it needs.

import { count, inLanguage } from '../../words.ts'

export const words = inLanguage(catalogue.sequences.general)

/** In states in which somebody is still in it. */
export function openPeople(people: { waiting: number; sending: number; uncertain: number; failed: number }): number {
  return people.waiting + people.sending + people.uncertain + people.failed
}

/** Nothing for none. */
export const orNothing = (n: number) => (n === 0 ? null : count(n))
