// The draft of a sequence while it is edited. What is not saved stays in this browser with the revision that it was made of; saving names
// that revision, so that nobody's work is overwritten unseen.

import { useEffect, useState } from 'preact/hooks'
import type { Definition } from '../../../db/tables/sequences.ts'
import { get, patch, Refusal } from '../../api.ts'
import type { Sequence } from '../../nouns.ts'
import { useUnsaved } from '../../parts/leaving.tsx'
import { saysTheSame } from '../../parts/same.ts'
import { usePlace } from '../../place.ts'

const path = '/v1/sequences/:sequenceId'

export interface SequenceText {
  name: string
  definition: Definition
  revision: number
}

export interface SequenceDraft {
  now: SequenceText
  isDirty: boolean
  change: (change: Partial<Definition>) => void
  rename: (name: string) => void
  discard: () => void
  /** False where somebody else has saved meanwhile. */
  save: () => Promise<boolean>
  /** What somebody else has saved meanwhile. */
  theirs: SequenceText | null
  takeTheirs: () => void
  keepMine: () => Promise<boolean>
  /** Changes with what is shown anew, as a whole. */
  round: number
}

/** The definition is unknown to the API's types: its notation has a schema of its own. */
function textOf({ name, definition, revision }: Pick<Sequence, 'name' | 'definition' | 'revision'>): SequenceText {
  return { name, definition: definition as Definition, revision }
}

export function useDraft(sequence: Sequence, saved: () => void): SequenceDraft {
  const { member, workspace } = usePlace()
  const params = { sequenceId: sequence.id }
  const key = `unsaved ${member.email} ${workspace.id} ${sequence.id}`
  const [{ stored, now }, setTexts] = useState(() => readKept(key, sequence) ?? same(textOf(sequence)))
  const [theirs, setTheirs] = useState<SequenceText | null>(null)
  const [round, setRound] = useState(0)
  const isDirty = JSON.stringify(now) !== JSON.stringify(stored)
  const kept = isDirty ? JSON.stringify({ stored, now }) : null
  const forget = () => sessionStorage.removeItem(key)
  useEffect(() => (kept === null ? forget() : sessionStorage.setItem(key, kept)), [key, kept])
  useUnsaved({ isChanged: () => isDirty, forget })
  const show = (text: SequenceText) => {
    setTexts(same(text))
    setTheirs(null)
    setRound((before) => before + 1)
  }
  // What others save is followed as long as nothing is to be lost by it.
  useEffect(() => {
    const isSafe = !isDirty || isSavedIn(now, sequence)
    if (isSafe && sequence.revision > stored.revision) show(textOf(sequence))
  }, [sequence.revision])
  const saveOver = async (revision: number) => {
    const { name, definition } = now
    try {
      const view = textOf(await patch(path, { params, body: { name, definition, revision } }))
      // What was typed meanwhile stays.
      setTexts(({ now: latest }) => ({
        stored: view,
        now: latest === now ? view : { ...latest, revision: view.revision },
      }))
      setTheirs(null)
      saved()
      return true
    } catch (error) {
      if (!(error instanceof Refusal) || error.code !== 'revision_mismatch') throw error
      setTheirs(textOf(await get(path, { params })))
      return false
    }
  }
  const set = (change: Partial<SequenceText>) =>
    setTexts((before) => ({ stored: before.stored, now: { ...before.now, ...change } }))
  return {
    now,
    isDirty,
    change: (change) => set({ definition: { ...now.definition, ...change } }),
    rename: (name) => set({ name }),
    discard: () => show(stored),
    save: () => saveOver(now.revision),
    theirs,
    takeTheirs: () => theirs && show(theirs),
    keepMine: () => saveOver(theirs?.revision ?? now.revision),
    round,
  }
}

const same = (text: SequenceText) => ({ stored: text, now: text })

/** What was not saved; null also where it was after all, by a save whose answer did not come. */
function readKept(key: string, sequence: Sequence): { stored: SequenceText; now: SequenceText } | null {
  const kept = JSON.parse(sessionStorage.getItem(key) ?? 'null')
  return kept && isSavedIn(kept.now, sequence) ? null : kept
}

function isSavedIn(text: SequenceText, sequence: Sequence): boolean {
  const saved = textOf(sequence)
  return saysTheSame({ ...text, revision: saved.revision }, saved)
}
