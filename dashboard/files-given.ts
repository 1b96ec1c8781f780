// The files of what is dragged, dropped or pasted. What is dragged from within the page is none and is left alone.

type TransferEvent = DragEvent | ClipboardEvent

const transferOf = (event: TransferEvent) => ('dataTransfer' in event ? event.dataTransfer : event.clipboardData)

export function hasFiles(event: TransferEvent): boolean {
  return transferOf(event)?.types.includes('Files') === true
}

/** None for text that is copied with its picture, as from a document: that is text. */
export function filesGiven(event: TransferEvent): File[] {
  const given = transferOf(event)
  const isText = event.type === 'paste' && given?.types.includes('text/plain')
  return isText || !hasFiles(event) ? [] : [...(given?.files ?? [])]
}
