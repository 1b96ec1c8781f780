// The recipes, each with a button that makes a draft of it and opens it.

import { useLocation } from 'preact-iso'
import { post } from '../../api.ts'
import { useAct, WhyNot } from '../../parts/act.tsx'
import { usePlace } from '../../place.ts'
import { colon } from '../../words.ts'
import { type Recipe, recipes } from './recipes.ts'
import { words } from './words.ts'

const path = '/v1/sequences'
const names = Object.keys(recipes) as Recipe[]

export function RecipeList() {
  const { route } = useLocation()
  const { to } = usePlace()
  const act = useAct()
  const begin = (recipe: Recipe) =>
    act.run(async () => {
      const { name } = words.recipes[recipe]
      const { id } = await post(path, { body: { name, definition: recipes[recipe] } })
      route(to(`/sequences/${id}`))
    })
  return (
    <section aria-labelledby="recipes">
      <h2 id="recipes">{words.recipesTitle}</h2>
      <p class="muted">{words.recipesHow}</p>
      <WhyNot act={act} />
      <ul class="recipes">
        {names.map((recipe) => {
          const { name, does } = words.recipes[recipe]
          return (
            <li key={recipe}>
              <h3>{name}</h3>
              <p>{does}</p>
              <button
                type="button"
                disabled={act.isRunning}
                aria-label={`${words.use}${colon}${name}`}
                onClick={() => void begin(recipe)}
              >
                {words.use}
              </button>
            </li>
          )
        })}
      </ul>
    </section>
  )
}
