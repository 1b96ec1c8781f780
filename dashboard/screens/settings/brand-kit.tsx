// The look of mails by one click: ready ones, or the colours of a picture; and what could not be read is said, with what can.

import { useState } from 'preact/hooks'
import { asAccent, asGround, isAccent, isGround, sixDigits } from '../../../src/kit/colour.ts'
import { colon } from '../../words.ts'
import { words } from './brand-words.ts'
import { isColour, lookOf, type MailLook, presetNames, presets, ratioToWhite } from './look.ts'
import { coloursOf } from './picture-colours.ts'

const maxBytes = 10 * 1024 * 1024

interface Props {
  look: MailLook
  logoUrl: string
  set: (next: Partial<MailLook>) => void
}

export function BrandKit({ look, logoUrl, set }: Props) {
  const { primaryColor, backgroundColor } = look
  return (
    <fieldset class="kit">
      <legend>{words.title}</legend>
      <p class="muted">{words.how}</p>
      <div class="choices">
        {presetNames.map((name) => (
          <button
            key={name}
            type="button"
            aria-label={`${words.begin}${colon}${words.presets[name]}`}
            aria-pressed={JSON.stringify(presets[name]) === JSON.stringify(pick(look))}
            onClick={() => set(presets[name])}
          >
            <Swatch colour={presets[name].backgroundColor} />
            <Swatch colour={presets[name].primaryColor} /> {words.presets[name]}
          </button>
        ))}
      </div>
      <FromPicture logoUrl={logoUrl} set={set} />
      {isColour(primaryColor) && !isAccent(sixDigits(primaryColor)) && (
        <Unreadable
          says={words.faint({ colour: primaryColor, has: ratioToWhite(sixDigits(primaryColor)) })}
          instead={asAccent(sixDigits(primaryColor))}
          use={(colour) => set({ primaryColor: colour })}
        />
      )}
      {isColour(backgroundColor) && !isGround(sixDigits(backgroundColor)) && (
        <Unreadable
          says={words.notGround(backgroundColor)}
          instead={asGround(sixDigits(backgroundColor))}
          use={(colour) => set({ backgroundColor: colour })}
        />
      )}
    </fieldset>
  )
}

const pick = ({ primaryColor, backgroundColor, fontFamily, borderRadius }: MailLook): MailLook => ({
  ...{ primaryColor, backgroundColor, fontFamily, borderRadius },
})

function Swatch({ colour }: { colour: string }) {
  return <span class="swatch" style={{ background: colour }} />
}

interface UnreadableProps {
  says: string
  instead: string
  use: (colour: string) => void
}

function Unreadable({ says, instead, use }: UnreadableProps) {
  return (
    <p class="notice warn" role="status">
      {says}{' '}
      <button type="button" onClick={() => use(instead)}>
        <Swatch colour={instead} /> {words.useInstead(instead)}
      </button>
    </p>
  )
}

/** Null where it is a picture of somewhere else, which the page may not load. */
function ownPath(url: string): string | null {
  const address = URL.parse(url)
  return address?.pathname.startsWith('/media/') ? address.pathname : null
}

function FromPicture({ logoUrl, set }: Pick<Props, 'logoUrl' | 'set'>) {
  const [found, setFound] = useState<string[]>([])
  const [says, setSays] = useState<string | null>(null)
  const take = (colour: string) => {
    const next = lookOf(colour)
    set(next)
    const isSame = next.primaryColor === colour
    setSays(isSame ? null : words.darkened({ from: colour, to: next.primaryColor, had: ratioToWhite(colour) }))
  }
  const look = async (picture: Blob) => {
    setFound([])
    if (picture.size > maxBytes) return setSays(words.tooLarge)
    try {
      const colours = await coloursOf(picture)
      setFound(colours)
      const [first] = colours
      if (first === undefined) setSays(words.noColours)
      else take(first)
    } catch {
      setSays(words.noPicture)
    }
  }
  const logo = ownPath(logoUrl)
  return (
    <>
      <div class="choices">
        <label class="button upload">
          {words.fromPicture}
          <input
            class="unseen"
            type="file"
            accept="image/*"
            onChange={({ currentTarget }) => {
              const [file] = currentTarget.files ?? []
              if (file) void look(file)
              currentTarget.value = ''
            }}
          />
        </label>
        {logo !== null && (
          <button type="button" onClick={() => void fetch(logo).then((answer) => answer.blob().then(look))}>
            {words.fromLogo}
          </button>
        )}
      </div>
      <p class="muted">{words.fromPictureHow}</p>
      {found.length > 0 && (
        <div class="choices">
          <span>{words.found}</span>
          {found.map((colour) => (
            <button key={colour} type="button" aria-label={words.use(colour)} onClick={() => take(colour)}>
              <Swatch colour={colour} /> {colour}
            </button>
          ))}
        </div>
      )}
      {says !== null && (
        <p class="notice" role="status">
          {says}
        </p>
      )}
    </>
  )
}
