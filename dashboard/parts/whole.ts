// Input that is previewed only when it is complete, such as the URL of a picture: when the field is left or confirmed, or the URL was
// pasted. Otherwise each typed letter would request a picture from another host.

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
