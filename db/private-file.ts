// Files that only their owner may read: everything an installation stores is somebody's mail, address or secret.

import { chmodSync, closeSync, mkdirSync, openSync, statSync } from 'node:fs'

export const privateFile = 0o600
export const privateFolder = 0o700
const others = 0o077
/** Of a folder that many share, like /tmp: it is nobody's installation. */
const sticky = 0o1000

/** Makes the file, empty, where there is none. SQLite gives its log and its index the same mode. */
export function makePrivateFile(path: string): void {
  closeSync(openSync(path, 'a', privateFile))
}

export function makePrivateFolder(path: string): void {
  mkdirSync(path, { recursive: true, mode: privateFolder })
}

/** The mode of what others may enter, read or write; null where they may not, or where there is nothing. */
export function openToOthers(path: string): number | null {
  const found = statSync(path, { throwIfNoEntry: false })
  return found && (found.mode & others) !== 0 ? found.mode & 0o777 : null
}

/** Shuts others out of what is ours; what belongs to another user is left alone. */
export function makePrivate(path: string): void {
  const found = statSync(path, { throwIfNoEntry: false })
  if (!found || (found.mode & others) === 0 || found.uid !== process.getuid?.() || found.mode & sticky) return
  chmodSync(path, found.isDirectory() ? privateFolder : privateFile)
}

export interface FileIdentity {
  dev: number
  ino: number
}

/** What stands behind a path now, to tell a file from another one of its name; undefined where there is none. */
export function fileIdentity(path: string): FileIdentity | undefined {
  return statSync(path, { throwIfNoEntry: false })
}

export function isSameFile(one: FileIdentity | undefined, other: FileIdentity | undefined): boolean {
  return one?.ino === other?.ino && one?.dev === other?.dev
}
