// Files that only their owner may read: everything an installation stores is mail, addresses or secrets.

import { chmodSync, closeSync, mkdirSync, openSync, statSync } from 'node:fs'

export const privateFile = 0o600
export const privateFolder = 0o700
const others = 0o077
/** For a folder that many users share, like /tmp, which belongs to no installation. */
const sticky = 0o1000

/** Creates the file, empty, if it is missing. SQLite gives its log and index the same mode. */
export function makePrivateFile(path: string): void {
  closeSync(openSync(path, 'a', privateFile))
}

export function makePrivateFolder(path: string): void {
  mkdirSync(path, { recursive: true, mode: privateFolder })
}

/** The mode of a file or folder that other users can access; null when they cannot, or when it does not exist. */
export function openToOthers(path: string): number | null {
  const found = statSync(path, { throwIfNoEntry: false })
  return found && (found.mode & others) !== 0 ? found.mode & 0o777 : null
}

/** Takes away other users' access to our files. A file that belongs to another user is left alone. */
export function makePrivate(path: string): void {
  const found = statSync(path, { throwIfNoEntry: false })
  if (!found || (found.mode & others) === 0 || found.uid !== process.getuid?.() || found.mode & sticky) return
  chmodSync(path, found.isDirectory() ? privateFolder : privateFile)
}

export interface FileIdentity {
  dev: number
  ino: number
}

/** Identifies the file at a path, to notice when another file takes its place; undefined when there is none. */
export function fileIdentity(path: string): FileIdentity | undefined {
  return statSync(path, { throwIfNoEntry: false })
}

export function isSameFile(one: FileIdentity | undefined, other: FileIdentity | undefined): boolean {
  return one?.ino === other?.ino && one?.dev === other?.dev
}
