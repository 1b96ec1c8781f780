// The known facts about one thing, by name; unknown ones are left out.

import type { ComponentChildren } from 'preact'

interface Props {
  title: string
  facts: [name: string, value: ComponentChildren][]
}

export function Facts({ title, facts }: Props) {
  return (
    <section>
      <h2>{title}</h2>
      <dl class="facts">
        {facts.map(([name, value]) =>
          value ? (
            <div key={name}>
              <dt>{name}</dt>
              <dd>{value}</dd>
            </div>
          ) : null,
        )}
      </dl>
    </section>
  )
}
