/** Keeps the soonest of some moments, epoch ms; null while there is none. */
export class Soonest {
  value: number | null = null;
  at(moment: number | undefined): void {
    if (moment !== undefined && (this.value === null || moment < this.value)) this.value = moment;
  }
}
