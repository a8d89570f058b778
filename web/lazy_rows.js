// A table of thousands of rows that appears at once: parcels of rows are made when they come near the view, and removed
// when they are far from it. On paper all rows are present.

const parcelSize = 50; // rows: a screen or two, made within a frame

class LazyRows {
  // `rowOf` makes the row of an item with `columns` columns; `height` is its estimated height in pixels.
  constructor(table, rowOf, columns, height) {
    Object.assign(this, { table, rowOf, columns, height, parcels: new Map() });
    const watched = { rootMargin: "800px 0px", scrollMargin: "800px 0px" };
    this.watcher = new IntersectionObserver((changes) => this.follow(changes), watched);
    addEventListener("beforeprint", () => {
      this.watcher.disconnect();
      this.parcels.forEach((parcel, body) => this.fill(body, parcel));
    });
    addEventListener("afterprint", () => this.watch());
  }

  watch() {
    if (this.parcels.size > 1) for (const body of this.parcels.keys()) this.watcher.observe(body);
  }

  show(items) {
    this.watcher.disconnect();
    for (const body of this.parcels.keys()) body.remove();
    this.parcels.clear();
    this.table.setAttribute("aria-rowcount", String(items.length + 1));
    for (let first = 0; first < items.length; first += parcelSize) {
      const body = element("tbody");
      this.parcels.set(body, { first, items: items.slice(first, first + parcelSize), isFull: false, height: 0 });
      this.table.append(body);
      if (first === 0) this.fill(body, this.parcels.get(body));
      else this.empty(body, this.parcels.get(body));
    }
    this.watch();
  }

  follow(changes) {
    for (const { target, isIntersecting } of changes) {
      const parcel = this.parcels.get(target);
      if (!parcel) continue;
      if (isIntersecting) this.fill(target, parcel);
      else if (parcel.isFull && !target.contains(document.activeElement)) {
        parcel.height = target.offsetHeight;
        this.empty(target, parcel);
      }
    }
  }

  fill(body, parcel) {
    if (parcel.isFull) return;
    parcel.isFull = true;
    body.replaceChildren(
      ...parcel.items.map((item, i) => {
        const row = this.rowOf(item);
        row.setAttribute("aria-rowindex", String(parcel.first + i + 2)); // the first row has the titles
        return row;
      }),
    );
  }

  empty(body, parcel) {
    parcel.isFull = false;
    const room = element("td", { colspan: this.columns });
    room.style.height = (parcel.height || parcel.items.length * this.height) + "px";
    body.replaceChildren(element("tr", { class: "room", "aria-hidden": "true" }, room));
  }
}
