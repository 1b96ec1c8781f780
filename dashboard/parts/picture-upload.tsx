// Pictures from somebody's computer: uploaded one after the other, and for each that is not described yet it is asked what it shows.

import type { ComponentChildren } from 'preact'
import { useRef, useState } from 'preact/hooks'
import { maxPictureBytes } from '../../src/kit/picture/size.ts'
import { patch, Refusal, upload } from '../api.ts'
import type { Picture } from '../nouns.ts'
import { type Act, useAct } from './act.tsx'
import { announce } from './announce.tsx'
import { Dialog } from './dialog.tsx'
import { Form } from './form.tsx'
import { words } from './picture-words.ts'

const path = '/v1/media'

export interface Uploading {
  act: Act
  take: (files: File[]) => void
  /** What is asked of somebody, above everything else. */
  question: ComponentChildren
}

/** `done` is called for each picture, once it is there and described. */
export function useUploading(done: (picture: Picture) => void): Uploading {
  const act = useAct()
  const [undescribed, setUndescribed] = useState<Picture[]>([])
  const [first] = undescribed
  // What is there now is where it goes, whatever was there when it was dropped.
  const latest = useRef(done)
  latest.current = done
  const take = (files: File[]) =>
    void act.run(async () => {
      for (const file of files) {
        const picture = await uploadPicture(file)
        announce(words.uploaded(picture.name))
        if (picture.alt === '') setUndescribed((before) => [...before, picture])
        else latest.current(picture)
      }
    })
  const described = (picture: Picture) => {
    setUndescribed(([_, ...others]) => others)
    done(picture)
  }
  return { act, take, question: first && <AskAlt key={first.id} picture={first} done={described} /> }
}

/** What it is called on somebody's disk differs from what it is: the server looks. */
async function uploadPicture(file: File): Promise<Picture> {
  if (file.size > maxPictureBytes) throw new Refusal(413, { detail: words.tooLarge(file.name) })
  const bytes = file.slice(0, file.size, 'application/octet-stream')
  const name = file.name.slice(0, 200)
  return await upload(path, { file: bytes, query: name === '' ? {} : { name } })
}

/** The same picture from where the page is, too. */
export function localAddress({ url }: Pick<Picture, 'url'>): string {
  return new URL(url).pathname
}

export function UploadButton({ uploading: { act, take } }: { uploading: Uploading }) {
  return (
    <label class="button upload">
      {words.upload}
      <input
        class="unseen"
        type="file"
        name="pictures"
        multiple
        accept="image/png,image/jpeg,image/webp,image/gif"
        disabled={act.isRunning}
        onChange={({ currentTarget }) => {
          take([...(currentTarget.files ?? [])])
          // So that the same one can be chosen again.
          currentTarget.value = ''
        }}
      />
    </label>
  )
}

function AskAlt({ picture, done }: { picture: Picture; done: (picture: Picture) => void }) {
  const act = useAct()
  const say = (form: FormData) =>
    act.run(async () => {
      const alt = String(form.get('alt')).trim()
      done(alt === '' ? picture : await patch(`${path}/:mediaId`, { params: { mediaId: picture.id }, body: { alt } }))
    })
  return (
    <Dialog title={words.whatItShows} close={() => done(picture)}>
      <h2>{words.whatItShows}</h2>
      <img class="large-picture" src={localAddress(picture)} alt={picture.name} />
      <Form act={act} says={words.keep} submit={say} isOfScreen={false}>
        <label>
          {words.alt}
          <textarea name="alt" rows={2} maxLength={1000} autofocus />
          <span>{words.whatItShowsHow}</span>
        </label>
      </Form>
      <button type="button" class="quiet" onClick={() => done(picture)}>
        {words.decorates}
      </button>
    </Dialog>
  )
}
