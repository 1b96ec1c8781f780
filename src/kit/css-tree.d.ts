// css-tree without its parser and its data of properties.

declare module 'css-tree/tokenizer' {
  export { tokenize, tokenTypes } from 'css-tree'
}
