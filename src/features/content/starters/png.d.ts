// Pictures that are imported as files: the import is a path, also inside the compiled binary.

declare module '*.png' {
  const path: string
  export default path
}
