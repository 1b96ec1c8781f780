// Something to copy: a value, or the API call that a screen makes.

import { useState } from 'preact/hooks'
import { type Call, toCurl } from '../api.ts'
import { inLanguage } from '../words.ts'
import { announce } from './announce.tsx'

const words = inLanguage({
  en: { copy: 'Copy', copied: 'Copied', curl: 'Copy as curl' },
  de: { copy: 'Kopieren', copied: 'Kopiert', curl: 'Als curl kopieren' },
})
const shownMs = 2_000

export function Copy({ text, label = words.copy }: { text: string; label?: string }) {
  const [isDone, setDone] = useState(false)
  const copy = async () => {
    await navigator.clipboard.writeText(text)
    setDone(true)
    announce(words.copied)
    setTimeout(() => setDone(false), shownMs)
  }
  return (
    <button type="button" class="quiet" onClick={() => void copy()}>
      {isDone ? words.copied : label}
    </button>
  )
}

/** The API is the product: what a screen shows can be had by anybody with a key. */
export function CopyCurl({ call }: { call: Call }) {
  return <Copy text={toCurl(call)} label={words.curl} />
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
