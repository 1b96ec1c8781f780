// Bytes as a person reads them: `1.3 MB`, `70 GB`.

export function sizeOf(bytes: number): string {
  const [size, name] = bytes >= 1e9 ? [1e9, 'GB'] : [1e6, 'MB']
  const count = bytes / size
  return `${count.toFixed(count < 10 ? 1 : 0)} ${name}`
}
