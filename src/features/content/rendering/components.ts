// All components. A name is permanent, because stored templates contain it.

import { ownValue } from '../../../kit/own-value.ts'
import type { Component } from './component.ts'
import { block } from './components/block.ts'
import { button } from './components/button.ts'
import { container } from './components/container.ts'
import { each } from './components/each.ts'
import { otherwise } from './components/else.ts'
import { footer } from './components/footer.ts'
import { header } from './components/header.ts'
import { heading } from './components/heading.ts'
import { conditional } from './components/if.ts'
import { image } from './components/image.ts'
import { link } from './components/link.ts'
import { list } from './components/list.ts'
import { section } from './components/section.ts'
import { text } from './components/text.ts'

export const components = {
  container,
  section,
  header,
  footer,
  heading,
  text,
  button,
  link,
  image,
  list,
  if: conditional,
  each,
  else: otherwise,
  block,
}

/** The component of a node that parseTree() accepted. */
export function componentOf(type: string): Component {
  const component = ownValue<Component>(components, type)
  if (!component) throw new Error(`there is no component ${type}`)
  return component
}
