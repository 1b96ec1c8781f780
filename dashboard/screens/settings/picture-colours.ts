// The colours of a picture, found in the browser: those that there is most of and that are most of a colour come first.

import { colourfulness, contrast } from '../../../src/kit/colour.ts'

const side = 64
const most = 5
/** Steps of each channel: colours that look the same fall together. */
const steps = 16
/** Of all channels together: nearer ones are one colour. */
const leastApart = 72
const nearlyWhite = 1.15

/** Throws for what is no picture. */
export async function coloursOf(picture: Blob): Promise<string[]> {
  const bitmap = await createImageBitmap(picture, { resizeWidth: side, resizeHeight: side })
  const context = new OffscreenCanvas(side, side).getContext('2d')
  if (!context) throw new Error('this browser draws nothing')
  context.drawImage(bitmap, 0, 0)
  bitmap.close()
  return mainColours(context.getImageData(0, 0, side, side).data)
}

interface Bin {
  count: number
  sums: [number, number, number]
}

/** Of pixels as red, green, blue and how opaque each is. */
function mainColours(pixels: Uint8ClampedArray): string[] {
  const bins = new Map<string, Bin>()
  for (let at = 0; at < pixels.length; at += 4) {
    const [red = 0, green = 0, blue = 0, alpha = 0] = pixels.subarray(at, at + 4)
    if (alpha < 128) continue
    const key = [red, green, blue].map((value) => Math.floor((value * steps) / 256)).join()
    const { count, sums } = bins.get(key) ?? { count: 0, sums: [0, 0, 0] }
    bins.set(key, { count: count + 1, sums: [sums[0] + red, sums[1] + green, sums[2] + blue] })
  }
  const ranked = [...bins.values()]
    .map(({ count, sums }) => ({ count, colour: toHex(sums.map((sum) => Math.round(sum / count))) }))
    .filter(({ colour }) => contrast(colour, '#ffffff') > nearlyWhite)
    .map(({ count, colour }) => ({ colour, score: count * (0.1 + colourfulness(colour)) }))
    .toSorted((a, b) => b.score - a.score)
  const found: string[] = []
  for (const { colour } of ranked) if (found.every((other) => apart(colour, other) >= leastApart)) found.push(colour)
  return found.slice(0, most)
}

function toHex(channels: number[]): string {
  return `#${channels.map((value) => value.toString(16).padStart(2, '0')).join('')}`
}

function apart(one: string, other: string): number {
  const channel = (colour: string, at: number) => Number.parseInt(colour.slice(at, at + 2), 16)
  return [1, 3, 5].reduce((sum, at) => sum + Math.abs(channel(one, at) - channel(other, at)), 0)
}
