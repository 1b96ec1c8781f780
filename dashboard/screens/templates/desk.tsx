// Where one locale of a mail is written: head, outline, mail and properties side by side, and the keys that work on all of them.

import type { ComponentChildren } from 'preact'
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks'
import type { Issue } from '../../api.ts'
import { useShortcuts } from '../../keys.ts'
import { type Act, useAct, WhyNot } from '../../parts/act.tsx'
import { announce } from '../../parts/announce.tsx'
import { Copy } from '../../parts/copy.tsx'
import { useUnsaved } from '../../parts/leaving.tsx'
import { MailFrame } from '../../parts/mail-frame.tsx'
import { useWhole } from '../../parts/whole.ts'
import { Add } from './add.tsx'
import { BringIn } from './bring.tsx'
import { Conflict } from './conflict.tsx'
import { words } from './editor-words.ts'
import { Findings } from './findings.tsx'
import { Head } from './head.tsx'
import type { StoredDraft } from './history.ts'
import { readNodes } from './marks.ts'
import { Outline } from './outline.tsx'
import type { Owner, Preview } from './owner.ts'
import { Properties } from './properties.tsx'
import { propertyName, typeName } from './property-words.ts'
import { sourceIn } from './source.ts'
import { SourceEditor, withoutLeftOut } from './source-editor.tsx'
import { TestData, useTestData } from './test-data.tsx'
import { nodeAt, readPlace, replaced, shownPath, type TreeNode, toTreePath } from './tree.ts'
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
              paste={pasting.paste}
            />
            {!draft.isReadOnly && <p class="muted">{draft.written.content.length === 0 ? words.empty : words.keys}</p>}
          </div>
          <div class="what" {...typing}>
            <Chosen draft={draft} issues={issues} focusRound={focusRound} fault={fault} />
            {preview && <TestData variables={preview.variables} typed={typed} set={setTyped} />}
          </div>
          <div class="shown">
            <NotShown issues={issues} draft={draft} />
            {preview && <PreviewFrame preview={preview} draft={draft} take={pictures.take} />}
            {preview && <Findings preview={preview} choose={draft.choose} />}
          </div>
        </div>
      )}
      {pictures.question}
      {isAdding && <Add draft={draft} edit={edit} close={() => setAdding(false)} />}
    </BlocksProvider>
  )
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

interface SubjectProps extends Pick<ChosenProps, 'draft' | 'issues' | 'fault'> {}

function Subject({ draft: { written, change, isReadOnly }, issues, fault }: SubjectProps) {
  const place = useRef<HTMLDivElement>(null)
  useFocus(place, fault)
  return (
    <div ref={place}>
      {(['subject', 'previewText'] as const).map((name) => (
        <label key={name} class="field">
          {words[name]}
          <input
            name={name}
            value={written[name]}
            readOnly={isReadOnly}
            maxLength={500}
            aria-invalid={issues.some(({ path }) => path === name)}
            onInput={(event) => change({ [name]: event.currentTarget.value }, name)}
          />
        </label>
      ))}
    </div>
  )
}

/** Goes to the field that was refused last, where it is here. */
function useFocus(place: { current: HTMLElement | null }, fault: ChosenProps['fault']): void {
  useLayoutEffect(() => {
    if (fault) place.current?.querySelector<HTMLElement>(`[name="${CSS.escape(fault.property)}"]`)?.focus()
  }, [fault])
}

function PreviewFrame({
  preview: { html, text },
  draft: { chosen, choose, isReadOnly },
  take,
}: {
  preview: Preview
  draft: TemplateDraft
  take: (files: File[]) => void
}) {
  const chooseAt = (place: string) => choose(readPlace(place)?.path ?? null)
  const give = (files: File[], place: string | null) => {
    if (place !== null) chooseAt(place)
    take(files)
  }
  return (
    <MailFrame
      title={words.preview}
      html={html}
      text={text}
      chosen={chosen && toTreePath(chosen)}
      choose={chooseAt}
      {...(!isReadOnly && { give })}
    />
  )
}

/** Says that the input is kept and why it is not stored, in the screen's own texts; errors about the whole mail in the server's. */
function NotSaved({ act, draft }: { act: Act; draft: TemplateDraft }) {
  if (act.error === null) return null
  const isOfFields = act.issues.some(({ path }) => isField(path))
  return (
    <div class="notice bad" role="alert">
      <strong>{words.notSaved}</strong>
      {isOfFields ? <Faults issues={act.issues} draft={draft} /> : <p>{act.error}</p>}
    </div>
  )
}

function NotShown({ issues, draft }: { issues: Issue[]; draft: TemplateDraft }) {
  if (issues.length === 0) return null
  return (
    <div class="notice bad" role="alert">
      <strong>{words.notShown}</strong>
      <Faults issues={issues} draft={draft} />
    </div>
  )
}

/** Which component, which of its fields, and what is wrong with it. */
function Faults({ issues, draft: { written, choose } }: { issues: Issue[]; draft: TemplateDraft }) {
  return (
    <ul class="plain">
      {issues.map(({ path, message }) => {
        const place = readPlace(path)
        const node = place && nodeAt(written.content, place.path)
        return (
          <li key={path + message}>
            {place && node ? (
              <>
                <button type="button" class="quiet" onClick={() => choose(place.path)}>
                  {typeName(node.type)}: {propertyName(place.property)}
                </button>{' '}
                {describeFault(node, place.property, message)}
              </>
            ) : (
              <>
                {isHead(path) && `${words[path]}: `}
                {isHead(path) && written[path] === '' ? words.isMissing : message}
              </>
            )}
          </li>
        )
      })}
    </ul>
  )
}

const isHead = (path: string): path is 'subject' | 'previewText' => path === 'subject' || path === 'previewText'
const isField = (path: string) => isHead(path) || readPlace(path) !== null

/** An empty value is missing; everything else is checked by the server. */
function describeFault(node: TreeNode, property: string, message: string): string {
  const value = node[property]
  return value === undefined || value === '' ? words.isMissing : message
}

interface ChosenProps {
  draft: TemplateDraft
  issues: Issue[]
  focusRound: number
  /** The field that was refused last. */
  fault: { property: string } | null
}

function Chosen({ draft, issues, focusRound, fault }: ChosenProps) {
  const { written, chosen, marked, change, copy, isReadOnly } = draft
  const node = chosen && nodeAt(written.content, chosen)
  const place = useRef<HTMLDivElement>(null)
  // Whoever is asked to edit is in the first field; whoever only chooses stays where they are.
  useLayoutEffect(() => {
    if (focusRound > 0) place.current?.querySelector<HTMLElement>('textarea, input, select')?.focus()
  }, [focusRound])
  useFocus(place, fault)
  if (!chosen || !node) return <p class="muted">{words.choose}</p>
  const here = toTreePath(chosen)
  const faults = issues.flatMap(({ path, message }): [string, string][] => {
    const place = readPlace(path)
    return place && toTreePath(place.path) === here
      ? [[place.property, describeFault(node, place.property, message)]]
      : []
  })
  return (
    <div ref={place}>
      {marked.length > 1 ? (
        <p>{words.marked(marked.length)}</p>
      ) : (
        <Properties
          key={`${here} ${node.type}`}
          node={node}
          faults={new Map(faults)}
          isReadOnly={isReadOnly}
          change={(next, property) =>
            change({ content: replaced(written.content, chosen, next) }, `${here} ${property}`)
          }
        />
      )}
      <div class="choices">
        <Copy text={copy()} label={words.copy} />
        {!isReadOnly && <Acts draft={draft} />}
      </div>
    </div>
  )
}

/** What is done to what is chosen. */
function Acts({ draft: { move, remove, duplicate } }: { draft: TemplateDraft }) {
  const acts: [does: () => unknown, says: string][] = [
    [() => move('up'), words.moveUp],
    [() => move('down'), words.moveDown],
    [duplicate, words.duplicate],
    [remove, words.remove],
  ]
  return (
    <>
      {acts.map(([does, says]) => (
        <button key={says} type="button" onClick={() => does()}>
          {says}
        </button>
      ))}
    </>
  )
}
