// The library of pictures. Files are uploaded by a button, or dropped or pasted anywhere on it.

import { useLocation } from 'preact-iso'
import { get } from '../../api.ts'
import { WhyNot } from '../../parts/act.tsx'
import { useDropAnywhere } from '../../parts/dropped.ts'
import { Empty } from '../../parts/empty.tsx'
import { ListPage, SearchBy, useList } from '../../parts/list.tsx'
import { PictureGrid } from '../../parts/picture-grid.tsx'
import { UploadButton, useUploading } from '../../parts/picture-upload.tsx'
import { bytes, words } from '../../parts/picture-words.ts'
import { usePlace } from '../../place.ts'

const path = '/v1/media'

export default function Media() {
  const { mayChange, to } = usePlace()
  const { route } = useLocation()
  const list = useList({
    screen: '/media',
    path,
    filters: ['search'],
    load: (query, signal) => get(path, { query }, signal),
  })
  // One that is new is on the first page.
  const uploading = useUploading(() => {
    if (list.cursor !== '' || list.filter['search']) route(list.hrefOf({}))
    else list.page.reload()
  })
  useDropAnywhere(mayChange ? uploading.take : null)
  return (
    <>
      <ListPage
        of={list}
        title={words.title}
        tools={
          <>
            {mayChange && (
              <p class="upload-here">
                <UploadButton uploading={uploading} /> <span class="muted">{words.orDrop}</span>
              </p>
            )}
            <WhyNot act={uploading.act} />
            <SearchBy of={list} name="search" label={words.search} />
          </>
        }
        emptyFiltered={words.emptyFiltered}
        empty={<Empty says={words.empty} act={{ field: 'pictures', says: words.upload }} />}
      >
        {({ data, storage: { usedBytes, limitBytes } }) => (
          <>
            <PictureGrid pictures={data} hrefOf={({ id }) => to(`/media/${id}`)} />
            <p class="muted">{words.room({ used: bytes(usedBytes), limit: bytes(limitBytes) })}</p>
          </>
        )}
      </ListPage>
      {uploading.question}
    </>
  )
}
