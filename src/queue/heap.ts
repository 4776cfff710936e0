/** Priority queue as a binary heap: removes the smallest item by `before` first. */
export class Heap<Item> {
  readonly #items: Item[] = [];
  readonly #before: (a: Item, b: Item) => boolean;

  constructor(before: (a: Item, b: Item) => boolean) {
    this.#before = before;
  }

  /** Returns the smallest item without removing it; undefined if the heap is empty. */
  peek(): Item | undefined {
    return this.#items[0];
  }

  push(item: Item): void {
    this.#moveUp(this.#items.push(item) - 1);
  }

  /** Removes and returns the smallest item; undefined if the heap is empty. */
  pop(): Item | undefined {
    const first = this.#items[0];
    this.#removeAt(0);
    return first;
  }

  /** Removes an item, wherever it is: takes time in proportion to the number of items. */
  remove(item: Item): void {
    this.#removeAt(this.#items.indexOf(item));
  }

  #removeAt(index: number): void {
    const items = this.#items;
    if (index < 0) return;
    const last = items.pop();
    if (last === undefined || index >= items.length) return;
    items[index] = last;
    this.#moveDown(index);
    this.#moveUp(index);
  }

  #moveUp(from: number): void {
    let index = from;
    while (index > 0) {
      const parent = (index - 1) >> 1;
      if (!this.#swapIfBefore(index, parent)) return;
      index = parent;
    }
  }

  #moveDown(from: number): void {
    let index = from;
    for (;;) {
      const smallest = this.#smallerChild(index);
      if (smallest === undefined || !this.#swapIfBefore(smallest, index)) return;
      index = smallest;
    }
  }

  #smallerChild(index: number): number | undefined {
    const left = this.#items[2 * index + 1];
    const right = this.#items[2 * index + 2];
    if (left === undefined) return undefined;
    return right !== undefined && this.#before(right, left) ? 2 * index + 2 : 2 * index + 1;
  }

  #swapIfBefore(a: number, b: number): boolean {
    const itemA = this.#items[a];
    const itemB = this.#items[b];
    if (itemA === undefined || itemB === undefined || !this.#before(itemA, itemB)) return false;
    this.#items[a] = itemB;
    this.#items[b] = itemA;
    return true;
  }
}
