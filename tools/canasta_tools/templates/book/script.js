(function () {
  "use strict";
  var bar = document.getElementById("bar"), field = document.getElementById("find"), told = document.getElementById("found");
  if (!bar) { return; }
  bar.hidden = false;
  function plain(text) {
    return text.toLowerCase().normalize("NFD").replace(/[\u0300-\u036f]/g, "");
  }
  var items = Array.prototype.map.call(document.querySelectorAll("[data-find]"), function (item) {
    return { item: item, text: plain(item.textContent) };
  });
  var parts = Array.prototype.slice.call(document.querySelectorAll("[data-part]"));
  function search() {
    var words = plain(field.value).split(/\s+/).filter(Boolean), count = 0;
    items.forEach(function (one) {
      var fits = words.every(function (word) { return one.text.indexOf(word) >= 0; });
      one.item.hidden = !fits;
      count += fits ? 1 : 0;
    });
    parts.forEach(function (part) {
      part.hidden = words.length > 0 && !part.querySelector("[data-find]:not([hidden])");
    });
    told.textContent = words.length ? told.getAttribute("data-told").replace("#", String(count)) : "";
  }
  field.addEventListener("input", search);
  document.addEventListener("keydown", function (event) {
    if (event.key === "/" && document.activeElement !== field) { event.preventDefault(); field.focus(); }
    if (event.key === "Escape" && field.value) { field.value = ""; search(); }
  });
  var read = document.getElementById("read");
  if (read) {
    read.addEventListener("click", function () {
      var open = read.getAttribute("aria-pressed") !== "true";
      read.setAttribute("aria-pressed", String(open));
      Array.prototype.forEach.call(document.querySelectorAll("details.formal"), function (d) { d.open = open; });
    });
  }
  function unfold() {
    var target = location.hash && document.getElementById(decodeURIComponent(location.hash.slice(1)));
    if (target && target.closest("[hidden]")) { field.value = ""; search(); target.scrollIntoView(); }
  }
  window.addEventListener("hashchange", unfold);
  window.addEventListener("beforeprint", function () {
    Array.prototype.forEach.call(document.querySelectorAll("details.open-in-print"), function (d) { d.open = true; });
  });
}());
