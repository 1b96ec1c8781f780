// Which files a workspace may attach, and how many per mail: three of five types, unless an owner allows more. Programs are always refused,
// because receivers reject a whole mail with one.

import { AppError, invalidField } from '../kit/error.ts'

export const defaultAttachmentTypes = ['application/pdf', 'image/png', 'image/jpeg', 'text/plain', 'text/csv']

export const defaultMaxAttachments = 3
/** More than that, and receivers look twice at a mail. */
export const mostAttachments = 20

const maxTypes = 50
const typePattern = /^[a-z0-9][a-z0-9!#$&^_.+-]{0,62}\/[a-z0-9][a-z0-9!#$&^_.+-]{0,94}$/

/** Types that open as a program, a script or a page that runs one. */
const programTypes = new Set([
  'application/ecmascript',
  'application/hta',
  'application/java-archive',
  'application/javascript',
  'application/vnd.microsoft.portable-executable',
  'application/vnd.ms-htmlhelp',
  'application/x-bat',
  'application/x-csh',
  'application/x-dosexec',
  'application/x-elf',
  'application/x-executable',
  'application/x-java-archive',
  'application/x-javascript',
  'application/x-mach-binary',
  'application/x-ms-installer',
  'application/x-ms-shortcut',
  'application/x-msdos-program',
  'application/x-msdownload',
  'application/x-msi',
  'application/x-powershell',
  'application/x-sh',
  'application/x-sharedlib',
  'application/x-vbscript',
  'text/ecmascript',
  'text/javascript',
  'text/vbscript',
])

/** Endings under which a system starts a file: those that Gmail and Outlook refuse. */
const programEndings =
  /\.(ade|adp|apk|app|appx|bat|chm|cmd|com|cpl|dll|dmg|exe|gadget|hta|ins|iso|isp|jar|jnlp|js|jse|lib|lnk|mde|msc|msi|msp|mst|nsh|pif|ps1|scf|scr|sct|shb|sys|url|vb|vbe|vbs|vhd|vxd|wsc|wsf|wsh|xll)\s*\.?$/i

/** How programs begin: Windows, Linux, macOS (each byte order), and scripts. */
const programStarts = ['MZ', '\x7fELF', '\xcf\xfa\xed\xfe', '\xce\xfa\xed\xfe', '\xca\xfe\xba\xbe', '#!']

interface Allowing {
  attachmentTypes: string[] | null
  maxAttachments: number | null
}

/** What everybody may attach, and what the workspace allows beside it. */
export function allowedAttachmentTypes({ attachmentTypes }: Pick<Allowing, 'attachmentTypes'>): string[] {
  return [...new Set([...defaultAttachmentTypes, ...(attachmentTypes ?? [])])]
}

export function allowedAttachments({ maxAttachments }: Pick<Allowing, 'maxAttachments'>): number {
  return maxAttachments ?? defaultMaxAttachments
}

export function allowsTheSame(one: Allowing, other: Allowing): boolean {
  const [types, others] = [one, other].map((each) => allowedAttachmentTypes(each).toSorted().join())
  return types === others && allowedAttachments(one) === allowedAttachments(other)
}

/** Those beside what everybody may attach, in lower case, each once; null for none. Throws 422. */
export function checkedAttachmentTypes(given: string[] | null): string[] | null {
  if (given === null) return null
  const path = 'attachmentTypes'
  if (given.length > maxTypes) throw invalidField(path, `names at most ${maxTypes} types`, 'too_many')
  const types = [...new Set(given.map((one) => one.trim().toLowerCase()))]
  for (const [index, type] of types.entries()) {
    if (!typePattern.test(type))
      throw invalidField(`${path}[${index}]`, 'must be a content type like application/zip, without parameters')
    if (programTypes.has(type))
      throw invalidField(`${path}[${index}]`, `${type} is a program, which receivers refuse`, 'not_allowed')
  }
  const more = types.filter((type) => !defaultAttachmentTypes.includes(type))
  return more.length === 0 ? null : more
}

/** Of a file that is not one of the five, whose content is checked: throws 422 for a program. */
export function refuseProgram({ filename, data }: { filename: string; data: Buffer }, path: string): void {
  const isNamedSo = programEndings.test(filename)
  const start = data.toString('latin1', 0, 4)
  if (!isNamedSo && !programStarts.some((one) => start.startsWith(one))) return
  const message = 'is a program, which receivers refuse'
  const where = `${path}.${isNamedSo ? 'filename' : 'data'}`
  throw new AppError('attachment_type_not_allowed', `${where}: ${message}`, {
    errors: [{ path: where, message, code: 'attachment_type_not_allowed' }],
  })
}
