// Pictures beside each other, each a link, or a button that chooses it.

import type { Picture } from '../nouns.ts'
import { localAddress } from './picture-upload.tsx'
import { words } from './picture-words.ts'

interface Props {
  pictures: Picture[]
  hrefOf?: (picture: Picture) => string
  choose?: (picture: Picture) => void
}

export function PictureGrid({ pictures, hrefOf, choose }: Props) {
  return (
    <ul class="pictures">
      {pictures.map((picture) => (
        <li key={picture.id}>
          {hrefOf ? (
            <a href={hrefOf(picture)}>
              <Tile picture={picture} />
            </a>
          ) : (
            <button type="button" onClick={() => choose?.(picture)}>
              <Tile picture={picture} />
            </button>
          )}
        </li>
      ))}
    </ul>
  )
}

function Tile({ picture }: { picture: Picture }) {
  const { name, alt, width, height } = picture
  return (
    <>
      <span class="thumbnail">
        <img src={localAddress(picture)} alt="" loading="lazy" />
      </span>
      <span class="name">{name}</span>
      <small class={alt === '' ? 'undescribed' : 'muted'}>
        {width} × {height}
        {alt === '' && ` · ${words.noAlt}`}
      </small>
    </>
  )
}
