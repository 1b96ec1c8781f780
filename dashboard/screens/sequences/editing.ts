// What a sequence is edited and rehearsed with: loaded once its steps are shown.

export { Rehearsal } from './rehearsal.tsx'
export { EndsFields, MailFields, StartFields } from './settings.tsx'
export { StepForm } from './step-forms.tsx'
export { StepTestResult } from './step-test.tsx'
