// The fields of the look: colours that are typed or picked, the typeface, and how round corners are.

import { mailFontNames } from '../../../src/kit/mail-fonts.ts'
import { words } from './brand-words.ts'
import { isColour, type MailLook } from './look.ts'

interface ColourProps {
  label: string
  name: string
  value: string
  byDefault: string
  set: (value: string) => void
}

export function ColourField({ label, name, value, byDefault, set }: ColourProps) {
  return (
    <div class="colour">
      <label>
        {label}
        <input
          name={name}
          value={value}
          maxLength={500}
          placeholder={byDefault}
          onInput={(event) => set(event.currentTarget.value)}
        />
      </label>
      <input
        type="color"
        // Of no form: the field beside it is what is kept, and may be empty, which this one cannot.
        form="none"
        aria-label={words.pick(label)}
        value={isColour(value) && value.length === 7 ? value : byDefault}
        onInput={(event) => set(event.currentTarget.value)}
      />
    </div>
  )
}

export function LookFields({ look, set }: { look: MailLook; set: (next: Partial<MailLook>) => void }) {
  return (
    <>
      <ColourField
        label={words.backgroundColor}
        name="brand.backgroundColor"
        value={look.backgroundColor}
        byDefault="#f3f4f6"
        set={(backgroundColor) => set({ backgroundColor })}
      />
      <label>
        {words.fontFamily}
        <select
          name="brand.fontFamily"
          value={look.fontFamily === '' ? 'system' : look.fontFamily}
          onChange={(event) => set({ fontFamily: event.currentTarget.value })}
        >
          {mailFontNames.map((name) => (
            <option key={name} value={name}>
              {words.fonts[name]}
            </option>
          ))}
        </select>
      </label>
      <label>
        {words.borderRadius}
        <input
          name="brand.borderRadius"
          type="number"
          min={0}
          max={32}
          value={look.borderRadius}
          onInput={(event) => set({ borderRadius: event.currentTarget.value })}
        />
      </label>
    </>
  )
}
