// The mail of a step: its template, and what fills that.

import { PickNamed } from '../../parts/pick.tsx'
import { usePlace } from '../../place.ts'
import { words } from './canvas-words.ts'
import type { SequenceChoices } from './choices.ts'
import { ConstantField } from './fields.tsx'
import type { StepOf } from './steps.ts'
import { WriteMail } from './write-mail.tsx'

interface Props {
  step: StepOf<'send' | 'digest'>
  set: (step: StepOf<'send' | 'digest'>) => void
  choices: SequenceChoices
}

export function MailFields({ step, set, choices }: Props) {
  const { to } = usePlace()
  const { templateId, variables } = step
  const template = choices.templates.find(({ id }) => id === templateId)
  // What it takes from the event, or from what was gathered, needs no word of the step.
  const filled = step.type === 'digest' ? /^(event|digest)\./ : /^event\./
  const own = (template?.dataVariables ?? []).filter((name) => !filled.test(name))
  const names = [...new Set([...own, ...Object.keys(variables)])]
  const fill = (name: string, value: string | number | boolean) => {
    const { [name]: _, ...others } = variables
    set({ ...step, variables: value === '' ? others : { ...others, [name]: value } })
  }
  return (
    <>
      <PickNamed
        label={words.template}
        among={choices.templates}
        id={templateId}
        set={(id) => set({ ...step, templateId: id })}
      />
      {template === undefined && step.type === 'send' && (
        <WriteMail
          key={templateId}
          templateId={templateId}
          written={(id) => {
            if (id !== templateId) set({ ...step, templateId: id })
            choices.templateMade()
          }}
        />
      )}
      {template && (
        <p>
          <a href={to(`/templates/${template.id}`)}>{words.openTemplate}</a>
        </p>
      )}
      {names.length > 0 && (
        <fieldset class="form">
          <legend>{words.variables}</legend>
          <p class="muted">{words.variablesHow}</p>
          {names.map((name) => (
            <ConstantField key={name} label={name} value={variables[name]} set={(value) => fill(name, value)} />
          ))}
        </fieldset>
      )}
    </>
  )
}
