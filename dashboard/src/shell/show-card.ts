/** On a phone the card stands above the list: what was chosen in the list is brought before the eyes. */
export function showCard(): void {
  if (!matchMedia('(width < 50rem)').matches) return
  const card = document.querySelector('.card')
  const header = document.querySelector('header')?.getBoundingClientRect().bottom ?? 0
  const { top } = card?.getBoundingClientRect() ?? { top: header }
  if (top < header || top > innerHeight / 2) card?.scrollIntoView()
}
