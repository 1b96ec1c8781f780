// A mail as its readers see it, in a frame that holds nothing else: light or dark, on a desk or on a phone, without its pictures, with
// large letters, from right to left, as text.

import type { ComponentChildren } from 'preact'
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks'
import type { Edit, FromFrame, ShownMail, Spot, ToFrame } from '../in-mail/messages.ts'
import { inLanguage } from '../words.ts'

const words = inLanguage(catalogue.parts.mailFrame)

/** At least: a mail of 600 pixels stands there with some space around it. */
const desktopPx = 680
const phonePx = 375
const heightPx = 620
const thumbnailPx = 272

interface FramePlace {
  /** Where the frame stands in its room. */
  leftPx: number
  /** How much smaller it is drawn. */
  scale: number
  roomPx: number
}

interface EditingInFrame {
  edit: Edit | null
  /** What the handle says with which components are dragged. */
  handle: string | null
  /** Components are dragged in the page, and may be dropped on the mail. */
  isDropPlace: boolean
  hear: (message: FromFrame) => void
  /** Given while the frame is there. */
  send: { current: ((message: ToFrame) => void) | null }
  tools: (place: FramePlace) => ComponentChildren
}

interface Props {
  title: string
  /** Null for a mail of text alone. */
  html: string | null
  text: ComponentChildren
  /** Of a stranger: its text first, and nothing of others is loaded before somebody wants it. */
  isUntrusted?: boolean
  /** The place of the component that is marked, where the HTML says which made what. */
  chosen?: string | null
  choose?: (place: string, spot: Spot | null) => void
  /** Where it is edited in the frame. */
  editing?: EditingInFrame
  /** Files that were dropped on a component, or pasted. */
  give?: (files: File[], place: string | null) => void
  /** What stands beside a link, by its address. */
  labels?: Record<string, string>
}

const noLabels = {}

export function MailFrame(props: Props) {
  const { title, html, text, isUntrusted = false, chosen = null, choose, editing, give, labels = noLabels } = props
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
            edit: editing?.edit ?? null,
            handle: editing?.handle ?? null,
          }}
          isPhone={on.has('phone')}
          {...(editing && { editing })}
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

/** Its beginning, small, as a picture: nothing in it can be reached. */
export function MailThumbnail({ title, html }: { title: string; html: string }) {
  const isDark = window.matchMedia('(prefers-color-scheme: dark)').matches
  const shown = {
    html,
    isDark,
    hasPictures: true,
    isLarge: false,
    isRightToLeft: false,
    chosen: null,
    labels: noLabels,
    edit: null,
    handle: null,
  }
  return (
    <div inert>
      <Frame title={title} shown={shown} isPhone={false} blockPx={thumbnailPx} />
    </div>
  )
}

interface FrameProps extends Pick<Props, 'title' | 'choose' | 'give' | 'editing'> {
  shown: ShownMail
  isPhone: boolean
  blockPx?: number
}

/** Drawn smaller where there is less room than that. */
function Frame({ title, shown, isPhone, blockPx = heightPx, choose, give, editing }: FrameProps) {
  const frame = useRef<HTMLIFrameElement>(null)
  const room = useRef<HTMLDivElement>(null)
  const [roomPx, setRoom] = useState(desktopPx)
  const widthPx = isPhone ? phonePx : Math.max(desktopPx, roomPx)
  const scale = Math.min(1, roomPx / widthPx)
  // The frame has no origin that could be named, so it brings a channel along when it is there.
  const channel = useRef<MessagePort | null>(null)
  const last = useRef({ shown, choose, give, editing })
  last.current = { shown, choose, give, editing }
  const send = (message: ToFrame) => {
    // Only who has the focus may pass it on to what is in it.
    if ('command' in message) frame.current?.focus()
    channel.current?.postMessage(message)
  }
  const { hasPictures, edit, ...others } = shown
  useLayoutEffect(() => {
    if (edit) frame.current?.focus()
  }, [edit?.place, edit?.index])
  // In the turn in which the frame is made: one that is there at once is heard.
  useLayoutEffect(() => {
    const listen = ({ source, ports: [port] }: MessageEvent) => {
      if (source !== frame.current?.contentWindow || !port) return
      channel.current = port
      port.onmessage = ({ data }: MessageEvent<FromFrame>) => {
        if ('files' in data) last.current.give?.(data.files, data.at)
        else if ('chosen' in data) last.current.choose?.(data.chosen, data.spot)
        else last.current.editing?.hear(data)
      }
      send({ mail: last.current.shown })
      const sent = last.current.editing?.send
      if (sent) sent.current = send
    }
    window.addEventListener('message', listen)
    return () => window.removeEventListener('message', listen)
  }, [])
  useEffect(() => send({ mail: shown }), [hasPictures, ...Object.values(others), JSON.stringify(edit)])
  useEffect(() => {
    const watch = new ResizeObserver(() => setRoom(room.current?.clientWidth ?? desktopPx))
    if (room.current) watch.observe(room.current)
    return () => watch.disconnect()
  }, [])
  return (
    <div ref={room} class="room" style={{ blockSize: `${blockPx}px` }}>
      <iframe
        key={String(hasPictures)}
        ref={frame}
        class="mail"
        title={title}
        src={hasPictures ? '/dashboard/files/preview' : '/dashboard/files/preview?pictures=none'}
        sandbox="allow-scripts"
        style={{ inlineSize: `${widthPx}px`, blockSize: `${blockPx / scale}px`, transform: `scale(${scale})` }}
      />
      {editing?.isDropPlace && (
        // biome-ignore lint/a11y/noStaticElementInteractions: by keyboard they are moved in the outline.
        <div
          class="drop-place"
          onDragOver={(event) => {
            event.preventDefault()
            const { left, top } = frame.current?.getBoundingClientRect() ?? { left: 0, top: 0 }
            send({ point: { x: (event.clientX - left) / scale, y: (event.clientY - top) / scale } })
          }}
          onDragLeave={() => send({ point: null })}
          onDrop={(event) => {
            event.preventDefault()
            editing.hear({ dropped: true })
          }}
        />
      )}
      {editing?.tools({ leftPx: Math.max(0, (roomPx - widthPx) / 2), scale, roomPx })}
    </div>
  )
}
