// Something to copy: a value, or the API call that a screen makes.

import { Terminal } from 'lucide'
import type { ComponentChildren } from 'preact'
import { useState } from 'preact/hooks'
import { type Call, toCurl } from '../api.ts'
import { inLanguage } from '../words.ts'
import { announce } from './announce.tsx'
import { Icon } from './icon.tsx'

const words = inLanguage(catalogue.parts.copy)
const shownMs = 2_000

interface Props {
  text: string
  label?: string
  /** What the button shows, where it is not its label. */
  children?: ComponentChildren
}

export function Copy({ text, label = words.copy, children = label }: Props) {
  const [isDone, setDone] = useState(false)
  const copy = async () => {
    await navigator.clipboard.writeText(text)
    setDone(true)
    announce(words.copied)
    setTimeout(() => setDone(false), shownMs)
  }
  return (
    <button type="button" class="quiet" onClick={() => void copy()}>
      {isDone ? words.copied : children}
    </button>
  )
}

/** The API is the product: what a screen shows can be had by anybody with a key. Most people come for something else, so it is small. */
export function CopyCurl({ call }: { call: Call }) {
  return <CopySmall text={toCurl(call)} label={words.curl} />
}

/** For what the command line does and one call does not. */
export function CopyCommand({ command }: { command: string }) {
  return <CopySmall text={command} label={words.command} />
}

function CopySmall({ text, label }: { text: string; label: string }) {
  return (
    <Copy text={text} label={label}>
      <span class="curl" title={label}>
        <Icon of={Terminal} />
        <span class="unseen">{label}</span>
      </span>
    </Copy>
  )
}

export function Code({ children }: { children: string }) {
  return (
    <div class="code">
      <pre>
        <code>{children}</code>
      </pre>
      <Copy text={children} />
    </div>
  )
}
