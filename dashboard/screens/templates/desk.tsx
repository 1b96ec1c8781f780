// Where one locale of a mail is written: head, outline, mail and properties side by side, and the keys that work on all of them.

import type { ComponentChildren } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import type { Issue } from '../../api.ts'
import { useShortcuts } from '../../keys.ts'
import { useAct, WhyNot } from '../../parts/act.tsx'
import { announce } from '../../parts/announce.tsx'
import { useUnsaved } from '../../parts/leaving.tsx'
import { useWhole } from '../../parts/whole.ts'
import { Add, useAdd } from './add.tsx'
import { BringIn } from './bring.tsx'
import { Chosen, Subject } from './chosen.tsx'
import { Conflict } from './conflict.tsx'
import { words } from './editor-words.ts'
import { NotSaved, NotShown } from './faults.tsx'
import { Findings } from './findings.tsx'
import { Head } from './head.tsx'
import type { StoredDraft } from './history.ts'
import { Palette } from './in-mail/palette.tsx'
import { ShownTree } from './in-mail/shown.tsx'
import { useDragging } from './in-mail/use-dragging.ts'
import { useInMail } from './in-mail/use-in-mail.ts'
import { readNodes } from './marks.ts'
import { Outline } from './outline.tsx'
import type { Owner } from './owner.ts'
import { sourceIn } from './source.ts'
import { SourceEditor, withoutLeftOut } from './source-editor.tsx'
import { TestData } from './test-data.tsx'
import { readPlace, shownPath, type TreeNode, toTreePath } from './tree.ts'
import { useTestData } from './typed-data.ts'
import { BlocksProvider, useLoadedBlocks } from './use-blocks.ts'
import { type TemplateDraft, useDraft } from './use-draft.ts'
import { usePictures } from './use-pictures.ts'
import { usePreview } from './use-preview.ts'

/** What stands on it now. */
export interface OnDesk {
  locale: string
  hasContent: boolean
  /** True where all of it is stored. */
  save: () => Promise<boolean>
}

/** What the mail is, in a word. */
export type State = (desk: OnDesk) => ComponentChildren

interface Props {
  owner: Owner
  state: State
  locale: string
  stored: StoredDraft
  /** The locale that the content was copied from. */
  copyOf: string | null
  saved: () => void
}

export function Desk({ owner, state, locale, stored, copyOf, saved }: Props) {
  const draft = useDraft(owner, locale, stored, saved)
  const isMail = owner.test !== null
  const blocks = useLoadedBlocks(isMail)
  const [typed, setTyped] = useTestData(owner.id)
  const [whole, typing] = useWhole(draft.written)
  const { preview, issues, dataVariables } = usePreview({ owner, locale, written: whole, typed })
  const [isAdding, setAdding] = useState(false)
  const source = sourceIn(draft.written.content)
  const [focusRound, setFocusRound] = useState(0)
  const saving = useAct()
  const pasting = usePaste(draft)
  const pictures = usePictures(draft)
  const edit = () => setFocusRound((before) => before + 1)
  const save = async () => {
    let isSaved = false
    await saving.run(async () => {
      isSaved = await draft.save()
      if (isSaved) announce(words.saved)
    })
    return isSaved
  }
  const inMail = useInMail(draft, save)
  const dragging = useDragging(draft, inMail.send)
  const add = useAdd(draft, edit)
  const [fault, setFault] = useState<{ property: string } | null>(null)
  // Whoever is refused is led to the field.
  useEffect(() => {
    const [first] = saving.issues
    if (!first) return
    const place = readPlace(first.path)
    if (place) draft.choose(place.path)
    setFault({ property: place?.property ?? first.path })
  }, [saving.issues])
  const keys = [
    { keys: '/', says: words.add, run: () => setAdding(true) },
    { keys: 'Mod+z', says: words.undo, run: () => draft.undo?.() },
    { keys: 'Mod+Shift+z', says: words.doAgain, run: () => draft.doAgain?.() },
    { keys: 'Mod+s', says: words.save, run: () => void save() },
  ]
  useShortcuts(draft.isReadOnly ? [] : source ? keys.slice(1) : keys)
  useUnsaved({ isChanged: () => draft.isDirty && draft.undo !== undefined, forget: null })
  return (
    <BlocksProvider value={blocks}>
      <Head
        owner={owner}
        state={state({
          locale,
          hasContent: draft.written.content.length > 0,
          save: async () => !draft.isDirty || (await save()),
        })}
        locale={locale}
        draft={draft}
        save={save}
        isSaving={saving.isRunning}
        dataVariables={dataVariables}
      />
      <NotSaved act={saving} draft={draft} />
      {draft.theirs && <Conflict draft={draft} theirs={draft.theirs} />}
      {copyOf !== null && draft.revisionId === null && (
        <p class="notice">{words.fallback({ locale, other: copyOf })}</p>
      )}
      {source && (
        <div class="editor-source">
          <Subject draft={draft} issues={issues} fault={fault} />
          {!draft.isReadOnly && (
            <div class="choices">
              <BringIn draft={draft} />
            </div>
          )}
          <NotShown issues={issues} draft={draft} />
          <SourceEditor source={source} preview={preview} draft={draft} />
          <div class="two">
            {preview && <Findings preview={withoutLeftOut(preview)} choose={draft.choose} />}
            {preview && <TestData variables={preview.variables} typed={typed} set={setTyped} />}
          </div>
        </div>
      )}
      {!source && (
        <div class="editor">
          <div class="write">
            {isMail && <Subject draft={draft} issues={issues} fault={fault} />}
            {!draft.isReadOnly && (
              <div class="choices">
                <button type="button" onClick={() => setAdding(true)}>
                  {words.add} <kbd>/</kbd>
                </button>
                <button type="button" onClick={() => void pasting.fromClipboard()}>
                  {words.paste}
                </button>
                {isMail && <BringIn draft={draft} />}
              </div>
            )}
            {pasting.fault !== null && (
              <p class="notice bad" role="alert">
                {pasting.fault}
              </p>
            )}
            <WhyNot act={pictures.act} />
            <Outline
              draft={draft}
              findingsAt={countAt(draft.written.content, [...(preview?.findings ?? []), ...issues])}
              edit={edit}
              editInMail={() => draft.chosen && inMail.begin(draft.chosen)}
              dragging={dragging}
              paste={pasting.paste}
            />
            {!draft.isReadOnly && <Hint isEmpty={draft.written.content.length === 0} />}
          </div>
          <div class="what" {...typing}>
            <Chosen draft={draft} issues={issues} focusRound={focusRound} fault={fault} />
            {preview && <TestData variables={preview.variables} typed={typed} set={setTyped} />}
          </div>
          <div class="shown">
            {!draft.isReadOnly && <Palette draft={draft} dragging={dragging} add={add} />}
            <NotShown issues={issues} draft={draft} />
            {preview && (
              <ShownTree preview={preview} draft={draft} inMail={inMail} dragging={dragging} take={pictures.take} />
            )}
            {preview && <Findings preview={preview} choose={draft.choose} />}
          </div>
        </div>
      )}
      {pictures.question}
      {isAdding && <Add draft={draft} add={add} close={() => setAdding(false)} />}
    </BlocksProvider>
  )
}

function Hint({ isEmpty }: { isEmpty: boolean }) {
  return isEmpty ? <p class="muted">{words.empty}</p> : <p class="muted keys-how">{words.keys}</p>
}

/** What was copied is looked through before it becomes a part of the mail, whoever copied it. */
function usePaste(draft: TemplateDraft) {
  const [fault, setFault] = useState<string | null>(null)
  const paste = (text: string) => {
    const nodes = readNodes(text)
    const wrong = typeof nodes === 'string' ? nodes : draft.paste(nodes) ? null : words.pasteNotHere
    setFault(wrong)
    if (typeof nodes !== 'string' && wrong === null) announce(words.pasted(nodes.length))
  }
  const fromClipboard = () => navigator.clipboard.readText().then(paste, () => setFault(words.pasteForbidden))
  return { fault, paste, fromClipboard }
}

function countAt(content: TreeNode[], issues: Issue[]): Map<string, number> {
  const counts = new Map<string, number>()
  for (const { path } of issues) {
    const place = readPlace(path)
    if (!place) continue
    const row = toTreePath(shownPath(content, place.path))
    counts.set(row, (counts.get(row) ?? 0) + 1)
  }
  return counts
}
