import { z } from 'zod'
import type { Approval } from './approval.ts'
import { FormSchema } from './form-schema.ts'

type Form = Pick<Approval, 'input'>
type Content = z.infer<typeof Content>

/** The schema of the form that a child's MCP server asks for; undefined if it is not a flat form (nested, or a page to visit). */
export function formSchemaOf({ input }: Form): FormSchema | undefined {
  if (input['mode'] === 'url') return undefined
  const schema = FormSchema.safeParse(input['schema'])
  return schema.success ? schema.data : undefined
}

/** The valid content of a form, or why it is not valid. Without a flat form the MCP server validates the content itself. */
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
