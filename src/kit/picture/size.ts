// How large a picture may be, and what its headers say of it, whatever its kind.

/** Of the file: 10 MB, meaning 10 × 1024 × 1024 bytes. */
export const maxPictureBytes = 10 * 1024 * 1024

export interface Size {
  /** In pixels, as it is shown. */
  width: number
  height: number
  /** 1 = it does not move. */
  frames: number
}
