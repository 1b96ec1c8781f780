// A field that holds the address of a picture: typed, chosen from the library, or dropped or pasted onto it.

import type { ComponentChildren } from 'preact'
import { useState } from 'preact/hooks'
import { get } from '../api.ts'
import type { Picture } from '../nouns.ts'
import { usePlace } from '../place.ts'
import { WhyNot } from './act.tsx'
import { Dialog } from './dialog.tsx'
import { dropOn } from './dropped.ts'
import { Show, useLoaded } from './load.tsx'
import { PictureGrid } from './picture-grid.tsx'
import { UploadButton, type Uploading, useUploading } from './picture-upload.tsx'
import { words } from './picture-words.ts'

const path = '/v1/media'
const perPage = 24

interface Props {
  /** What was chosen, or is uploaded. */
  take: (picture: Picture) => void
  /** The field. */
  children: ComponentChildren
}

export function PictureField({ take, children }: Props) {
  const { mayChange } = usePlace()
  const [isChoosing, setChoosing] = useState(false)
  const uploading = useUploading((picture) => {
    setChoosing(false)
    take(picture)
  })
  if (!mayChange) return children
  return (
    <div class="picture-field" {...dropOn(uploading.take)}>
      {children}
      <button type="button" class="quiet" disabled={uploading.act.isRunning} onClick={() => setChoosing(true)}>
        {words.choose}
      </button>
      {!isChoosing && <WhyNot act={uploading.act} />}
      {isChoosing && (
        <Library
          uploading={uploading}
          close={() => setChoosing(false)}
          choose={(picture) => {
            setChoosing(false)
            take(picture)
          }}
        />
      )}
      {uploading.question}
    </div>
  )
}

interface LibraryProps {
  uploading: Uploading
  choose: (picture: Picture) => void
  close: () => void
}

function Library({ uploading, choose, close }: LibraryProps) {
  const [search, setSearch] = useState('')
  const [cursor, setCursor] = useState<string | null>(null)
  const query = { perPage, ...(search && { search }), ...(cursor && { cursor }) }
  const page = useLoaded(JSON.stringify(query), (signal) => get(path, { query }, signal))
  return (
    <Dialog title={words.choose} close={close}>
      <div {...dropOn(uploading.take)}>
        <h2>{words.choose}</h2>
        <p>
          <UploadButton uploading={uploading} /> <span class="muted">{words.orDropHere}</span>
        </p>
        <WhyNot act={uploading.act} />
        <label>
          {words.search}
          <input
            type="search"
            value={search}
            autofocus
            onInput={(event) => {
              setSearch(event.currentTarget.value)
              setCursor(null)
            }}
          />
        </label>
        <Show of={page}>
          {({ data, pagination }) => (
            <>
              {data.length === 0 && <p class="muted">{search === '' ? words.empty : words.emptyFiltered}</p>}
              <PictureGrid pictures={data} choose={choose} />
              {pagination.nextCursor !== null && (
                <button type="button" onClick={() => setCursor(pagination.nextCursor)}>
                  {words.more}
                </button>
              )}
            </>
          )}
        </Show>
      </div>
    </Dialog>
  )
}
