// A mail as its readers see it, in a frame that holds nothing else: light or dark, on a desk or on a phone, without its pictures, with
// large letters, from right to left, as text.

import type { ComponentChildren } from 'preact'
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks'
import type { FromFrame, ToFrame } from '../preview-frame.ts'
import { inLanguage } from '../words.ts'

const words = inLanguage(catalogue.parts.mailFrame)

/** At least: a mail of 600 pixels stands there with some space around it. */
const desktopPx = 680
const phonePx = 375
const heightPx = 620

interface Props {
  title: string
  /** Null for a mail of text alone. */
  html: string | null
  text: ComponentChildren
  /** Of a stranger: its text first, and nothing of others is loaded before somebody wants it. */
  isUntrusted?: boolean
  /** The place of the component that is marked, where the HTML says which made what. */
  chosen?: string | null
  choose?: (place: string) => void
  /** Files that were dropped on a component, or pasted. */
  give?: (files: File[], place: string | null) => void
  /** What stands beside a link, by its address. */
  labels?: Record<string, string>
}

const noLabels = {}

export function MailFrame(props: Props) {
  const { title, html, text, isUntrusted = false, chosen = null, choose, give, labels = noLabels } = props
  const [on, setOn] = useState<ReadonlySet<string>>(() => new Set(isUntrusted ? looksAtStrangers() : []))
  const looks = html === null ? [] : (['dark', 'phone', 'noPictures', 'large', 'rightToLeft', 'asText'] as const)
  const toggle = (look: string) => setOn((before) => new Set([look]).symmetricDifference(before))
  return (
    <>
      <fieldset class="choices">
        <legend class="unseen">{title}</legend>
        {looks.map((look) => (
          <button key={look} type="button" aria-pressed={on.has(look)} onClick={() => toggle(look)}>
            {words[look]}
          </button>
        ))}
      </fieldset>
      {html === null || on.has('asText') ? (
        <pre class="mail">{text}</pre>
      ) : (
        <Frame
          title={title}
          shown={{
            html,
            isDark: on.has('dark'),
            hasPictures: !on.has('noPictures'),
            isLarge: on.has('large'),
            isRightToLeft: on.has('rightToLeft'),
            chosen,
            labels,
          }}
          isPhone={on.has('phone')}
          {...(choose && { choose })}
          {...(give && { give })}
        />
      )}
    </>
  )
}

/** Their mails are rarely made for a phone, and then too small on one to be read. */
function looksAtStrangers(): string[] {
  const isNarrow = window.matchMedia(`(width < ${desktopPx}px)`).matches
  return ['asText', 'noPictures', ...(isNarrow ? ['phone'] : [])]
}

interface FrameProps extends Pick<Props, 'title' | 'choose' | 'give'> {
  shown: ToFrame
  isPhone: boolean
}

/** Drawn smaller where there is less room than that. */
function Frame({ title, shown, isPhone, choose, give }: FrameProps) {
  const frame = useRef<HTMLIFrameElement>(null)
  const room = useRef<HTMLDivElement>(null)
  const [roomPx, setRoom] = useState(desktopPx)
  const widthPx = isPhone ? phonePx : Math.max(desktopPx, roomPx)
  const scale = Math.min(1, roomPx / widthPx)
  // The frame has no origin that could be named, so it brings a channel along when it is there.
  const channel = useRef<MessagePort | null>(null)
  const last = useRef({ shown, choose, give })
  last.current = { shown, choose, give }
  // In the turn in which the frame is made: one that is there at once is heard.
  useLayoutEffect(() => {
    const listen = ({ source, ports: [port] }: MessageEvent) => {
      if (source !== frame.current?.contentWindow || !port) return
      channel.current = port
      port.onmessage = ({ data }: MessageEvent<FromFrame>) =>
        'files' in data ? last.current.give?.(data.files, data.at) : last.current.choose?.(data.chosen)
      port.postMessage(last.current.shown)
    }
    window.addEventListener('message', listen)
    return () => window.removeEventListener('message', listen)
  }, [])
  const { hasPictures } = shown
  useEffect(() => channel.current?.postMessage(shown), Object.values(shown))
  useEffect(() => {
    const watch = new ResizeObserver(() => setRoom(room.current?.clientWidth ?? desktopPx))
    if (room.current) watch.observe(room.current)
    return () => watch.disconnect()
  }, [])
  return (
    <div ref={room} class="room" style={{ blockSize: `${heightPx}px` }}>
      <iframe
        key={String(hasPictures)}
        ref={frame}
        class="mail"
        title={title}
        src={hasPictures ? '/dashboard/files/preview' : '/dashboard/files/preview?pictures=none'}
        sandbox="allow-scripts"
        style={{ inlineSize: `${widthPx}px`, blockSize: `${heightPx / scale}px`, transform: `scale(${scale})` }}
      />
    </div>
  )
}
