// What is shown of something while it is written. The address of a picture is shown once it is whole: when the field is left or confirmed,
// or the address was pasted. Otherwise each letter of it would ask another host for a picture.

import { useRef, useState } from 'preact/hooks'

const pictures = /(^|\.)(src|logoUrl|darkLogoUrl)$/

/** On what the fields are in. */
interface Listeners {
  onInput: (event: InputEvent) => void
  onChange: () => void
  onFocusOut: () => void
}

export function useWhole<T>(written: T): [whole: T, listeners: Listeners] {
  const [isTyping, setTyping] = useState(false)
  const whole = useRef(written)
  if (!isTyping) whole.current = written
  const isWhole = () => setTyping(false)
  const onInput = ({ target, inputType }: InputEvent) =>
    setTyping(target instanceof HTMLInputElement && pictures.test(target.name) && inputType !== 'insertFromPaste')
  return [whole.current, { onInput, onChange: isWhole, onFocusOut: isWhole }]
}
