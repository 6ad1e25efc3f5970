import { useSignal } from '@preact/signals'
import { useId, useRef } from 'preact/hooks'
import type { FolderList } from '../../../src/folders/list-folders.ts'
import { visibleText } from '../../../src/text/visible-text.ts'
import { hub } from '../hub/connection.ts'
import { sessions } from '../hub/hub-state.ts'
import { keyInList } from './folder-keys.ts'

type Choice = FolderList['folders'][number]

/** The folder of a new session: typed, with the folders that the hub finds below it to choose from. */
export function FolderField({ name }: { readonly name: string }) {
  const listId = useId()
  const field = useRef<HTMLInputElement>(null)
  const choices = useSignal<readonly Choice[]>([])
  const active = useSignal(-1)
  const isOpen = useSignal(false)
  const note = useSignal('')

  const show = (found: readonly Choice[], text: string) => {
    choices.value = found
    note.value = text
    active.value = -1
    // The list may come after the person has left the field.
    isOpen.value = found.length > 0 && document.activeElement === field.current
  }
  const list = async (typed: string) => {
    if (typed.trim() === '') return show(knownFolders(), '')
    try {
      const found = await hub.call('listFolders', { path: typed })
      // The person may have typed on: then this list is for another text.
      if (field.current?.value === typed) show(found.folders, noteOf(found))
    } catch (error) {
      if (field.current?.value === typed) show([], error instanceof Error ? error.message : String(error))
    }
  }
  const choose = (choice: Choice | undefined) => {
    if (!choice || !field.current) return
    // With a slash, so that the next list is of the folders in it.
    field.current.value = choice.path === '/' ? '/' : `${choice.path}/`
    field.current.focus()
    void list(field.current.value)
  }
  const onKeyDown = (event: KeyboardEvent) => {
    const pressed = keyInList(event.key, {
      count: choices.value.length,
      active: active.value,
      isOpen: isOpen.value,
    })
    if (!pressed) return
    event.preventDefault()
    isOpen.value = pressed.isOpen
    active.value = pressed.active
    if (pressed.chosen !== undefined) choose(choices.value[pressed.chosen])
    document.getElementById(optionId(listId, pressed.active))?.scrollIntoView({ block: 'nearest' })
  }
  return (
    <div class="field folder">
      <label for={`${listId}-field`}>Folder</label>
      <input
        id={`${listId}-field`}
        ref={field}
        type="text"
        name={name}
        required
        autocomplete="off"
        spellcheck={false}
        placeholder="/path/to/project"
        role="combobox"
        aria-autocomplete="list"
        aria-expanded={isOpen.value}
        aria-controls={listId}
        aria-activedescendant={active.value >= 0 ? optionId(listId, active.value) : undefined}
        aria-describedby={`${listId}-note`}
        onInput={({ currentTarget }) => void list(currentTarget.value)}
        onFocus={({ currentTarget }) => void list(currentTarget.value)}
        onBlur={() => (isOpen.value = false)}
        onKeyDown={onKeyDown}
      />
      <ul id={listId} role="listbox" aria-label="Folders" hidden={!isOpen.value}>
        {choices.value.map((choice, index) => (
          <li
            key={choice.path}
            id={optionId(listId, index)}
            role="option"
            aria-selected={index === active.value}
            // Before the field loses the focus, which would close the list.
            onMouseDown={(event) => {
              event.preventDefault()
              choose(choice)
            }}
          >
            {visibleText(choice.path)}
            {choice.leadsTo !== undefined && <span class="faint"> → {visibleText(choice.leadsTo)}</span>}
          </li>
        ))}
      </ul>
      <p id={`${listId}-note`} class="faint" role="status">
        {visibleText(note.value)}
      </p>
    </div>
  )
}

function optionId(listId: string, index: number): string {
  return `${listId}-${index}`
}

/** Where sessions have worked before. */
function knownFolders(): Choice[] {
  return [...new Set(sessions.peek()?.map(({ workingDirectory }) => workingDirectory))].map((path) => ({
    path,
  }))
}

function noteOf({ leadsTo, hasMore, folders, folder }: FolderList): string {
  const sentences = [
    ...(leadsTo === undefined ? [] : [`${folder} leads to ${leadsTo}.`]),
    ...(hasMore ? [`These are the first ${folders.length}; type more of the name.`] : []),
  ]
  return sentences.join(' ')
}
