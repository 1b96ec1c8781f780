// Files that are imported as files: the import is a path, also inside the compiled binary.

declare module 'swagger-ui-dist/swagger-ui-bundle.js' {
  const path: string
  export default path
}

declare module 'swagger-ui-dist/swagger-ui.css' {
  const path: string
  export default path
}

declare module '*/browser.js' {
  const path: string
  export default path
}
