// Where the public pages of a workspace are: at its own host while that is proved and leads here, else at BASE_URL. Every link, page and
// picture of a mail to a recipient begins with publicBase(); what is for members of the installation stays at BASE_URL.

import type { Config } from '../../core/config.ts'
import type { Workspace } from '../workspaces.ts'

type Base = Pick<Config, 'baseUrl'>

/** Scheme, host and port, without a slash at the end. It costs no query: the host is a column of the workspace, which its mail has anyway. */
export function publicBase({ baseUrl }: Base, { linkHost }: Pick<Workspace, 'linkHost'>): string {
  return linkHost === null ? baseUrl : baseAt({ baseUrl }, linkHost)
}

/** The same at this host: whoever takes the requests of BASE_URL takes those of a link domain, by the same scheme and port. */
export function baseAt({ baseUrl }: Base, host: string): string {
  const { protocol, port } = new URL(baseUrl)
  return `${protocol}//${host}${port === '' ? '' : `:${port}`}`
}

/** How the address of every picture of the library begins, where it is saved. */
export function pictureAddress({ baseUrl }: Base): string {
  return `${baseUrl}/media/`
}

/** Pictures of the library are saved with their address at BASE_URL, which never changes: the text with those at `base`. */
export function withPicturesAt({ baseUrl }: Base, base: string, text: string): string {
  return base === baseUrl ? text : text.replaceAll(pictureAddress({ baseUrl }), pictureAddress({ baseUrl: base }))
}
