// What we use of the MJML compiler that has no file system, which brings no types of its own.

declare module 'mjml-browser' {
  interface MjmlError {
    line: number
    message: string
    tagName: string
  }

  export default function compile(
    source: string,
    options: { validationLevel: 'soft'; minify: boolean; keepComments: boolean; ignoreIncludes: boolean },
  ): Promise<{ html: string; errors: MjmlError[] }>
}
