// The brand: the sender and the look of mail, beside a preview that follows the input.

import { useRef, useState } from 'preact/hooks'
import { type Got, get, type Issue, type Posted, patch, post, toCall } from '../../api.ts'
import { loadAnew } from '../../departure.ts'
import { useAct } from '../../parts/act.tsx'
import { announce } from '../../parts/announce.tsx'
import { useAnswer } from '../../parts/asked.ts'
import { CopyCurl } from '../../parts/copy.tsx'
import { Form } from '../../parts/form.tsx'
import { Show, useLoaded } from '../../parts/load.tsx'
import { MailFrame } from '../../parts/mail-frame.tsx'
import { PictureField } from '../../parts/picture-field.tsx'
import { listFaults } from '../../parts/preview.ts'
import { separated } from '../../parts/separated.ts'
import { useWhole } from '../../parts/whole.ts'
import { usePlace } from '../../place.ts'
import { language } from '../../words.ts'
import { BrandKit } from './brand-kit.tsx'
import { words as lookWords } from './brand-words.ts'
import { lookBody, type MailLook } from './look.ts'
import { ColourField, LookFields } from './look-fields.tsx'
import { OwnLookList } from './own-look-list.tsx'
import { QuietHoursSection } from './quiet-hours.tsx'
import { Tabs } from './tabs.tsx'
import { words } from './words.ts'

const path = '/v1/workspace'
const previewPath = '/v1/transactional/preview'

type Preview = Posted<typeof previewPath>
type StoredBrand = Got<typeof path>

/** In the order of the form; the names are those of the API. */
const lines = ['companyName', 'senderName', 'supportEmail', 'website'] as const
const logos = ['logoUrl', 'darkLogoUrl'] as const
type Texts = Record<(typeof lines)[number] | (typeof logos)[number] | 'companyAddress', string>
type Brand = Texts & MailLook

/** Which keys a telephone shows. */
const modes: Partial<Record<keyof Brand, 'email' | 'url'>> = { supportEmail: 'email', website: 'url' }

export default function BrandPage() {
  const stored = useLoaded('', (signal) => get(path, {}, signal))
  return (
    <>
      <header class="title">
        <h1>{words.tabs.brand}</h1>
        <CopyCurl call={toCall('GET', path)} />
      </header>
      <Tabs at="brand" />
      <Show of={stored}>{(workspace) => <Edited stored={workspace} />}</Show>
    </>
  )
}

function Edited({ stored }: { stored: StoredBrand }) {
  const { mayChange } = usePlace()
  const [brand, setBrand] = useState(() => toBrand(stored.brand))
  const [whole, typing] = useWhole(brand)
  const shown = useRef<Preview | null>(null)
  const { answer, issues } = useAnswer(
    () => ({ ...sample, brand: toBody(whole), draft: true as const }),
    (body) => post(previewPath, { body }),
  )
  const faults = answer ? listFaults(answer) : []
  if (answer && faults.length === 0) shown.current = answer
  return (
    <>
      <div class="two">
        <section {...typing}>
          <h2>{words.who}</h2>
          <Fields stored={stored} brand={brand} set={(next) => setBrand((before) => ({ ...before, ...next }))} />
          <QuietHoursSection />
        </section>
        <section class="beside">
          <h2>{words.preview}</h2>
          <p class="muted">{words.previewHow}</p>
          <Faults issues={[...issues, ...faults]} />
          {shown.current && <MailFrame title={words.preview} html={shown.current.html} text={shown.current.text} />}
        </section>
      </div>
      {mayChange && <OwnLookList hasLogo={stored.brand.logoUrl !== undefined} />}
    </>
  )
}

/** Only an owner changes them. */
function readAttachmentRules(form: FormData): { attachmentTypes?: string[] | null; maxAttachments?: number } {
  const types = separated(String(form.get('attachmentTypes')))
  return { attachmentTypes: types.length > 0 ? types : null, maxAttachments: Number(form.get('maxAttachments')) }
}

interface Props {
  stored: StoredBrand
  brand: Brand
  set: (next: Partial<Brand>) => void
}

function Fields({ stored, brand, set }: Props) {
  const { workspace } = usePlace()
  const act = useAct()
  const isOwner = workspace.role === 'owner'
  const save = (form: FormData) =>
    act.run(async () => {
      const [name = '', primaryLocale = '', timeZone = ''] = ['name', 'primaryLocale', 'timeZone'].map((field) =>
        String(form.get(field)).trim(),
      )
      const attached = isOwner ? readAttachmentRules(form) : {}
      await patch(path, { body: { name, primaryLocale, timeZone, brand: toBody(brand), ...attached } })
      announce(words.saved)
      // The menu names the workspace, too, and nothing typed means the default.
      if (name !== stored.name || attached.attachmentTypes === null) loadAnew()
    })
  const field = (name: keyof Texts) => ({
    name: `brand.${name}`,
    value: brand[name],
    maxLength: 500,
    onInput: (event: { currentTarget: { value: string } }) => set({ [name]: event.currentTarget.value }),
  })
  return (
    <Form act={act} says={words.save} submit={save}>
      <label>
        {words.name}
        <input name="name" required maxLength={200} defaultValue={stored.name} />
      </label>
      {lines.map((name) => (
        <label key={name}>
          {words.brand[name]}
          <input inputMode={modes[name] ?? 'text'} {...field(name)} />
        </label>
      ))}
      <label>
        {words.brand.companyAddress}
        <textarea rows={2} {...field('companyAddress')} />
        <span>{words.addressHow}</span>
      </label>
      <BrandKit look={brand} logoUrl={brand.logoUrl} set={set} />
      {logos.map((name) => (
        <PictureField key={name} take={({ url }) => set({ [name]: url })}>
          <label>
            {name === 'logoUrl' ? words.brand.logoUrl : lookWords.darkLogoUrl}
            <input inputMode="url" {...field(name)} />
          </label>
        </PictureField>
      ))}
      <ColourField
        label={words.brand.primaryColor}
        name="brand.primaryColor"
        value={brand.primaryColor}
        byDefault="#3b4fd8"
        set={(primaryColor) => set({ primaryColor })}
      />
      <LookFields look={brand} set={set} />
      <label>
        {words.primaryLocale}
        <input name="primaryLocale" required maxLength={35} defaultValue={stored.primaryLocale} />
      </label>
      <label>
        {words.timeZone}
        <input name="timeZone" required maxLength={64} list="time-zones" defaultValue={stored.timeZone} />
        <span>{words.timeZoneHow}</span>
      </label>
      <label>
        {words.attachmentTypes}
        <textarea
          name="attachmentTypes"
          rows={5}
          spellcheck={false}
          disabled={!isOwner}
          defaultValue={stored.attachmentTypes.join('\n')}
        />
        <span>{words.attachmentTypesHow}</span>
      </label>
      <label>
        {words.maxAttachments}
        <input
          name="maxAttachments"
          type="number"
          min={3}
          max={20}
          required
          disabled={!isOwner}
          defaultValue={stored.maxAttachments}
        />
        <span>{words.maxAttachmentsHow}</span>
      </label>
      <datalist id="time-zones">
        {Intl.supportedValuesOf('timeZone').map((zone) => (
          <option key={zone} value={zone} />
        ))}
      </datalist>
    </Form>
  )
}

function Faults({ issues }: { issues: Issue[] }) {
  if (issues.length === 0) return null
  return (
    <div class="notice bad" role="alert">
      {issues.map(({ path: where, message }) => (
        <p key={where}>{message}</p>
      ))}
    </div>
  )
}

function toBrand(stored: StoredBrand['brand']): Brand {
  const { companyName = '', companyAddress = '', senderName = '', supportEmail = '', website = '' } = stored
  const { logoUrl = '', darkLogoUrl = '', primaryColor = '', backgroundColor = '', fontFamily = '' } = stored
  const texts = { companyName, companyAddress, senderName, supportEmail, website, logoUrl, darkLogoUrl }
  return { ...texts, primaryColor, backgroundColor, fontFamily, borderRadius: String(stored.borderRadius ?? '') }
}

/** As the API takes it. */
function toBody({ primaryColor, backgroundColor, fontFamily, borderRadius, ...texts }: Brand) {
  return { ...texts, ...lookBody({ primaryColor, backgroundColor, fontFamily, borderRadius }) }
}

/** A mail that shows all of it, in the language in which it is written here. */
const sample = {
  locale: language,
  subject: words.sample.subject,
  content: [
    { type: 'header' },
    { type: 'heading', text: words.sample.subject },
    { type: 'text', text: words.sample.text },
    { type: 'section', backgroundColor: '#f5f6f8', children: [{ type: 'text', text: lookWords.panel }] },
    { type: 'button', text: words.sample.button, href: 'https://example.com/' },
    { type: 'footer', showUnsubscribe: false },
  ],
}
