// SHA-256 as hex. Used to store secrets that are only compared, and addresses that must outlive their contact.

export function sha256Hex(data: string | Uint8Array): string {
  return Bun.SHA256.hash(data, 'hex')
}
