// The pictures of starters. They are kept in the program, and become pictures of a workspace once somebody uses a starter that shows them.

import announcement from './pictures/announcement.png' with { type: 'file' }
import event from './pictures/event.png' with { type: 'file' }
import newsletter from './pictures/newsletter.png' with { type: 'file' }
import { pictureAddress } from './starter.ts'

const files: Record<string, string> = { announcement, event, newsletter }

/** `text` with the addresses that `place` finds for the pictures that it names. */
export async function placePictures(
  text: string,
  place: (bytes: Uint8Array<ArrayBuffer>, name: string) => Promise<string>,
): Promise<string> {
  let placed = text
  for (const [name, path] of Object.entries(files)) {
    const address = pictureAddress(name)
    if (!placed.includes(address)) continue
    // Beside the program, wherever that was started.
    const bytes = await Bun.file(new URL(path, import.meta.url)).bytes()
    placed = placed.replaceAll(address, await place(bytes, name))
  }
  return placed
}

/** For a mail that is only looked at. */
export const withDataUrls = (html: string): Promise<string> =>
  placePictures(html, async (bytes) => `data:image/png;base64,${bytes.toBase64()}`)
