// Compiles MJML to HTML with the package of its makers, which is loaded when it is first needed. It reads no files: `mj-include` is not
// followed. What it does not understand is told and left out.

import type { Issue } from '../../../../kit/error.ts'
import { turn } from '../../../../kit/turn.ts'

export interface CompiledMjml {
  html: string
  /** What it did not understand. */
  issues: Issue[]
}

const maxIssues = 50

export async function compileMjml(source: string): Promise<CompiledMjml | { fault: string }> {
  if (!/<mjml[\s>]/i.test(source)) return { fault: 'holds no <mjml> element' }
  const { default: compile } = await import('mjml-browser')
  // Loading it is not the author's doing: the thread says that it lives before it begins.
  await turn()
  try {
    const { html, errors } = await compile(withoutIncludes(source), {
      validationLevel: 'soft',
      minify: false,
      keepComments: true,
      ignoreIncludes: true,
    })
    const unknown = errors.filter(({ tagName }) => tagName !== includeStandIn)
    return { html, issues: [...includeIssues(source), ...unknown.map(toIssue)].slice(0, maxIssues) }
  } catch (error) {
    return {
      fault: `is no MJML that can be compiled: ${String(error instanceof Error ? error.message : error).slice(0, 200)}`,
    }
  }
}

/** As an element that nobody knows, it is left out. */
const includeStandIn = 'mj-x-include'
const withoutIncludes = (source: string) => source.replace(/<mj-include\b/gi, `<${includeStandIn}`)

function includeIssues(source: string): Issue[] {
  const isThere = withoutIncludes(source) !== source
  const message = 'The element <mj-include> was left out: nothing is read from files.'
  return isThere ? [{ path: 'content.source', code: 'left_out', message }] : []
}

function toIssue({ line, message, tagName }: { line: number; message: string; tagName: string }): Issue {
  return { path: 'content.source', code: 'left_out', message: `Line ${line}, <${tagName}>: ${message.slice(0, 200)}.` }
}
