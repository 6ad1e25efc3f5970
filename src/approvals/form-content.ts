import { z } from 'zod'
import type { Approval } from './approval.ts'
import { FormSchema } from './form-schema.ts'

type Form = Pick<Approval, 'input'>
type Content = z.infer<typeof Content>

/** What a child's MCP server wants to have filled in; undefined where that is no flat form (more than fields, or a page to visit). */
export function formSchemaOf({ input }: Form): FormSchema | undefined {
  if (input['mode'] === 'url') return undefined
  const schema = FormSchema.safeParse(input['schema'])
  return schema.success ? schema.data : undefined
}

/** What a form is accepted with, or why it cannot be. What no flat form asks for is the server's own to judge. */
export function validateContent(
  form: Form,
  given: unknown,
): { readonly content: Content } | { readonly misfit: string } {
  const schema = formSchemaOf(form)
  const content = (schema ? z.fromJSONSchema(schema).pipe(Content) : Content).safeParse(given ?? {})
  if (content.success) return { content: content.data }
  const misfits = content.error.issues.map(
    ({ path, message }) => `${path.join('.') || 'content'}: ${message}`,
  )
  return { misfit: misfits.join('; ') }
}

const Content = z.record(z.string(), z.unknown())
