import { expect, test } from 'vitest'
import { FullDisk, type Look } from '../../../src/sessions/run/full-disk.ts'

const full: Look = { full: true, atWork: true, written: 10, read: 10 }
const space: Look = { ...full, full: false }
const lookAt = (...looks: Look[]) => {
  const disk = new FullDisk()
  return looks.map((look) => disk.look(look))
}

test('a child that was at work on a full disk and says nothing after it has lost something, and that is told once', () => {
  expect(lookAt(space, full, full, space, space)).toEqual([false, false, false, true, false])
})

test('one that goes on talking has lost words at most', () => {
  expect(lookAt(full, { ...space, written: 11 }, space)).toEqual([false, false, false])
})

test('one that waits for somebody says nothing, so it has lost nothing', () => {
  expect(lookAt({ ...full, atWork: false }, space)).toEqual([false, false])
  expect(lookAt(full, { ...full, atWork: false }, space)).toEqual([false, false, true])
})

test('what it said before the disk was full comes first', () => {
  expect(lookAt(full, { ...space, read: 9 }, space)).toEqual([false, false, true])
})

test('with the end of the turn nothing is left to be told', () => {
  const disk = new FullDisk()
  disk.look(full)
  expect(disk.concerns).toBe(true)
  disk.forget()
  expect(disk.concerns).toBe(false)
  expect(disk.look(space)).toBe(false)
})
