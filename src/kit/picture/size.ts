// What the headers of a picture say of it, whatever its kind.

export interface Size {
  /** In pixels, as it is shown. */
  width: number
  height: number
  /** 1 = it does not move. */
  frames: number
}
